"""From a CSV to a release and an audit, with nothing installed but the package; `python/wheel` runs it."""

import shoal

policy = shoal.suggest("people.csv")
policy.require("k-anonymity", k=5)
release = shoal.anonymize("people.csv", policy, method="mondrian")
release.save("out", name="release.csv", report=True, certificate=True, policy=True)
shoal.audit("out/release.csv", certificate="out/certificate.json").check(risk=0.2)

assert release.risk is not None and release.risk.highest <= 0.2 and len(release.table) > 0
