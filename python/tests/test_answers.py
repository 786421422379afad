"""Are the answers those of the command line, and do they fit together?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import shoal


def command(*words: str, folder: Path) -> dict[str, object]:
    """What the command prints as JSON."""
    done = subprocess.run([sys.executable, "-m", "shoal", *words, "--json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table and a policy in files."""
    from conftest import small_policy

    folder = tmp_path_factory.mktemp("answers")
    shoal.generate("census", rows=1000).to_polars().write_parquet(folder / "people.parquet")
    policy = small_policy()
    policy.set({"input.path": "people.parquet"})
    policy.save(folder / "policy.toml")
    return folder


MEASURED = {"seconds", "peak_memory_bytes", "release", "path", "policy", "label"}


def without_measured(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_measured(one) for name, one in value.items() if name not in MEASURED}
    return [without_measured(one) for one in value] if isinstance(value, list) else value


def test_numbers_are_those_of_the_command(folder: Path) -> None:
    frame, policy = pl.read_parquet(folder / "people.parquet"), shoal.Policy.load(folder / "policy.toml")
    study = shoal.Study(frame, policy)
    said = command("anonymize", "policy.toml", "--output", "release.parquet", folder=folder)
    assert without_measured(study.release().to_dict()) == without_measured(said)
    said = command("solutions", "policy.toml", folder=folder)
    assert without_measured(study.solutions().to_dict()) == without_measured(said)
    said = command("compare", "policy.toml", "--vary", "k=5,20", "--vary", "method=full-domain,mondrian", folder=folder)
    assert without_measured(study.compare(k=[5, 20], method=["full-domain", "mondrian"]).to_dict()) == without_measured(said)
    said = command("advise", "policy.toml", folder=folder)
    assert without_measured(study.advise().to_dict()) == without_measured(said)
    said = command("audit", "release.parquet", "--policy", "policy.toml", "--original", "people.parquet", folder=folder)
    audit = shoal.audit(study.release().table, policy=policy, original=frame)
    assert without_measured(audit.to_dict()) == without_measured(said)
    names = ["--quasi", "age,zip code", "--sensitive", "occupation", "--confidence", "0.8", "--at-risk", "0.1"]
    said = command("audit", "people.parquet", *names, folder=folder)
    audit = shoal.audit(frame, quasi=["age", "zip code"], sensitive=["occupation"], confidence=0.8, at_risk=0.1)
    assert without_measured(audit.to_dict()) == without_measured(said)
    # A postal code for a person and a race for a household make little sense, and have counts of every kind.
    names = ["--quasi", "age,sex", "--sensitive", "occupation", "--person", "zip code", "--household", "race"]
    said = command("audit", "people.parquet", *names, folder=folder)
    audit = shoal.audit(frame, quasi=["age", "sex"], sensitive=["occupation"], person="zip code", household="race")
    assert "people" in said and "households" in said
    assert without_measured(audit.to_dict()) == without_measured(said)


def test_certificates_are_checked_as_by_the_command(folder: Path, tmp_path: Path) -> None:
    keys = [sys.executable, "-m", "shoal", "keys", "signature", "-o"]
    for name in ["mine.pem", "other.pem"]:
        subprocess.run([*keys, name], cwd=tmp_path, check=True, capture_output=True)
    policy = shoal.Policy.load(folder / "policy.toml")
    shoal.anonymize(folder / "people.parquet", policy).save(tmp_path, certificate=True, sign=tmp_path / "mine.pem", policy=True)
    release, certificate = tmp_path / "release.parquet", tmp_path / "certificate.json"

    def both(*words: str, **given: object) -> shoal.Audit:
        said = command("audit", "release.parquet", "--certificate", "certificate.json", *words, folder=tmp_path)
        found = shoal.audit(release, certificate=certificate, **given)
        assert without_measured(found.to_dict()) == without_measured(said)
        return found

    found = both()
    assert found.certificate is not None and found.certificate.holds and found.certificate.signature == "not-checked"
    found.check()
    signed = both("--signer", "mine.pub.pem", signer=tmp_path / "mine.pub.pem")
    assert signed.certificate is not None and signed.certificate.signature == "valid"
    assert both("--policy", "policy.toml", policy=tmp_path / "policy.toml").certificate == found.certificate
    with pytest.raises(shoal.NotMet):
        shoal.audit(release, certificate=certificate, signer=tmp_path / "other.pub.pem")
    pl.read_parquet(release).head(700).write_parquet(release)
    changed = both()
    assert changed.certificate is not None and not changed.certificate.holds and changed.certificate.differences
    with pytest.raises(shoal.NotMet, match="the certificate does not hold: the release is another file"):
        changed.check()
    release.write_bytes(b"no table at all")
    with pytest.raises(shoal.NotMet, match="the release is another file"):
        shoal.audit(release, certificate=certificate)


def test_what_contradicts_a_certificate_is_refused(people: shoal.Table, tmp_path: Path) -> None:
    with pytest.raises(shoal.PolicyError, match="give the path of the release"):
        shoal.audit(people, certificate=tmp_path / "certificate.json")
    with pytest.raises(shoal.PolicyError, match="cannot stand beside it"):
        shoal.audit("release.csv", certificate=tmp_path / "certificate.json", quasi=["age"])
    with pytest.raises(shoal.PolicyError, match="there is none"):
        shoal.audit(people, quasi=["age"], signer="key.pub.pem")
    with pytest.raises(shoal.PolicyError, match="`person` and `household`"):
        shoal.audit(people, quasi=["age"], person="name", sensitive_table=people)
    assert shoal.audit(people, quasi=(name for name in ["age"])).rows == 1000


def test_a_release_tells_all_about_itself(people: shoal.Table, policy: shoal.Policy) -> None:
    release = shoal.anonymize(people, policy, max_suppressed=0.02)
    assert release.rows == 1000 and release.released_rows + release.suppressed == 1000
    assert release.objectives.loss == release.loss and release.objectives.average_class_size > 0
    assert release.levels is not None and set(release.levels) == {"age", "zip code"}
    assert release.risk is not None and release.risk.highest == 1 / release.class_size.min
    assert release.attacks["homogeneity"].exposed == release.audit.attacks["homogeneity"].findings[0].exposed_records
    assert release.attacks["skewness"].severity in ["none", "low", "medium", "high"]
    with pytest.raises(KeyError, match="did you mean 'skewness'"):
        release.attacks["skewnes"]
    with pytest.raises(KeyError, match="it needs"):
        release.attacks[next(iter(release.attacks.not_tried))]
    assert release.policy.get("max-suppressed") == 0.02
    assert "verified on the written table" in repr(release)
    page = release._repr_html_()
    assert "<details" in page and "srcdoc=" in page and "5-anonymity" in release.report()
    with pytest.raises(AttributeError):
        _ = release.nonsense


def test_a_study_is_asked_many_times(people: shoal.Table, policy: shoal.Policy) -> None:
    study = shoal.Study(people.to_polars(), policy)
    solutions = study.solutions()
    assert len(solutions) >= 1 and solutions.satisfying <= (solutions.nodes or 0)
    best = study.release()
    one = study.release(levels=solutions[0].levels.to_dict())
    assert one.levels == solutions[0].levels.to_dict() and best.loss <= one.loss
    assert pl.DataFrame(solutions.to_dicts()).height == len(solutions)
    assert len(study.solutions(all=True)) == solutions.satisfying
    nothing = {"age": 0, "zip code": 0}
    why = study.why_not(nothing)
    assert why is not None and why.rows > why.allowed == 0 and why.rare_by
    assert study.why_not(best.levels) is None
    with pytest.raises(shoal.NotMet):
        study.release(levels=nothing)
    with pytest.raises(shoal.PolicyError, match="did you mean `age`"):
        study.release(levels={"aeg": 1})
    comparison = study.compare(k=[5, 50], method=["full-domain", "mondrian"])
    assert len(comparison) == 4 and comparison.frontier
    assert comparison.plot()._repr_svg_().startswith("<svg") and "<svg" in comparison._repr_html_()
    advice = study.advise(budget=20)
    assert advice.now is not None and len(advice) >= 1 and "study.with_settings(" in repr(advice)
    assert study.policy == policy
    for shown in [study, solutions, advice]:
        assert repr(shown) and shown._repr_html_()


def test_every_piece_of_advice_can_be_followed(people: shoal.Table, policy: shoal.Policy) -> None:
    study, followed = shoal.Study(people, policy), 0
    for line in repr(study.advise(budget=20)).splitlines():
        if "study.with_settings(" in line:
            released = eval(line[line.index("study.") :], {"study": study})
            assert isinstance(released, shoal.Release)
            followed += 1
    assert followed >= 2


def test_no_release_says_what_came_closest(people: shoal.Table, policy: shoal.Policy) -> None:
    policy["zip code"] = shoal.quasi(mask="right", max_level=2)
    policy["age"] = shoal.quasi(intervals=[5], max_level=0)
    with pytest.raises(shoal.NoRelease) as caught:
        shoal.anonymize(people, policy, k=50)
    closest = caught.value.closest
    assert closest is not None and set(closest["levels"]) == {"age", "zip code"}
    assert closest["suppressed_rows"] > closest["allowed_rows"] == 0
    assert "no generalization satisfies 50-anonymity" in caught.value.text and caught.value.hint


def test_a_gate_in_a_pipeline(people: shoal.Table, policy: shoal.Policy) -> None:
    release = shoal.anonymize(people, policy, k=11)
    audit = shoal.audit(release.table, quasi=["age", "zip code"], sensitive=["occupation"], original=people)
    audit.check(risk=0.1)
    with pytest.raises(shoal.NotMet, match="risk>0.001"):
        audit.check(risk=0.001, homogeneity=True)
    with pytest.raises(AssertionError):
        audit.check(risk=0)
    with pytest.raises(shoal.PolicyError, match="did you mean `homogeneity`"):
        audit.check(homogenity=0)
    policy.require("k-anonymity", k=900)
    with pytest.raises(shoal.NotMet, match="900-anonymity does not hold"):
        shoal.audit(release.table, policy=policy).check()
    with pytest.raises(shoal.PolicyError, match="confidance"):
        shoal.audit(people, quasi=["age"], confidance=1)
    with pytest.raises(shoal.PolicyError, match="say which columns"):
        shoal.audit(people)
    assert audit.holds is None and audit.utility is not None and audit.report().startswith("<!DOCTYPE html>")
    assert "the report" in audit._repr_html_()


def test_what_cannot_be_judged_does_not_pass() -> None:
    visits = pl.DataFrame({"patient": [f"P{visit // 2}" for visit in range(40)], "ward": ["north"] * 40, "ill": ["flu", "cold"] * 20})
    policy = shoal.Policy()
    policy["ward"], policy["ill"] = shoal.quasi(suppress=True, max_level=0), shoal.sensitive()
    policy.require("k-anonymity", k=5)
    policy.set({"input.person": "patient"})
    release = shoal.anonymize(visits, policy)
    assert release.audit.holds and release.audit.unjudged == []
    audit = shoal.audit(release.table, policy=policy)
    assert audit.holds is None and [one.label for one in audit.unjudged] == ["5-anonymity (people)"]
    with pytest.raises(shoal.NotMet, match="5-anonymity \\(people\\) cannot be judged"):
        audit.check()


def test_two_tables(people: shoal.Table, policy: shoal.Policy) -> None:
    policy.require("distinct-l-diversity", column="occupation", l=3)
    policy.leave_out("k-anonymity")
    release = shoal.anonymize(people.to_polars(), policy, method="anatomy")
    assert isinstance(release.sensitive_table, pl.DataFrame) and release.levels is None
    audit = shoal.audit(release.table, policy=policy, settings={"method": "anatomy"}, sensitive_table=release.sensitive_table)
    assert audit.holds


def test_recipes(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    release = shoal.anonymize(people, policy)
    release.recipe.save(tmp_path / "recipe.json")
    assert shoal.Recipe.load(tmp_path / "recipe.json") == release.recipe
    again = shoal.apply(tmp_path / "recipe.json", people.to_polars())
    assert isinstance(again.table, pl.DataFrame) and again.classes == release.classes
    assert again.table.sort(pl.all()).equals(release.table.to_polars().sort(pl.all()))
    for unreadable in [tmp_path / "nowhere.json", tmp_path]:
        with pytest.raises(shoal.PlaceError, match="cannot read"):
            shoal.Recipe.load(unreadable)
    with pytest.raises(shoal.PolicyError, match="the recipe has followed"):
        shoal.apply(release.recipe, people, method="mondrian")


def test_everything_is_saved_at_once(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    release = shoal.anonymize(people, policy)
    files = release.save(tmp_path / "out", report=True, certificate=True, policy=True, recipe=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(path.name for path in files)
    assert {path.name for path in files} == {"release.parquet", "report.html", "certificate.json", "policy.toml", "recipe.json"}
    saved = pl.read_parquet(tmp_path / "out/release.parquet")
    assert saved.equals(release.table.to_polars())
    done = command("audit", "release.parquet", "--certificate", "certificate.json", folder=tmp_path / "out")
    assert done["certificate"]["holds"] is True
    with pytest.raises(shoal.ShoalError, match=r"policy\.toml"):
        release.save(tmp_path / "out", policy=True)
    release.save(tmp_path / "out", name="release.csv", overwrite=True)
    assert (tmp_path / "out/release.csv").read_text().count("\n") == 1001


def test_a_saved_release_is_that_of_the_table_that_was_counted(policy: shoal.Policy, people: shoal.Table, tmp_path: Path) -> None:
    frame = people.to_polars()
    frame.write_csv(tmp_path / "people.csv")
    release = shoal.anonymize(tmp_path / "people.csv", policy)
    frame.head(900).write_csv(tmp_path / "people.csv")
    with pytest.raises(shoal.Changed):
        release.save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_warned_of_is_what_the_command_warns_of(folder: Path, tmp_path: Path) -> None:
    frame = pl.read_parquet(folder / "people.parquet").with_columns(contact=pl.format("p{}@example.org", pl.int_range(pl.len())))
    frame.write_parquet(tmp_path / "people.parquet")
    policy = shoal.Policy.load(folder / "policy.toml")
    policy["contact"] = shoal.insensitive()
    policy.save(tmp_path / "policy.toml")
    said = command("anonymize", "policy.toml", "--output", "release.parquet", folder=tmp_path)["warnings"]
    assert "identifying-values" in str(said)
    for table in [frame, tmp_path / "people.parquet"]:
        release = shoal.anonymize(table, policy)
        assert release.to_dict()["warnings"] == said
        assert shoal.apply(release.recipe, table).to_dict()["warnings"] == said


def test_what_is_drawn_is_the_same_in_every_copy_of_a_release(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    frame = people.to_polars().with_columns(pay=pl.int_range(pl.len()) % 50 * 100, visits=pl.int_range(pl.len()) % 9 + 50)
    frame = frame.with_columns(name=pl.format("P{}", pl.int_range(pl.len()) // 2))
    policy["pay"] = shoal.sensitive(publish={"noise": {"laplace": 10}})
    policy["visits"] = shoal.insensitive(publish={"noise": {"normal": 5}})
    policy["name"] = shoal.identifier(replace="random")
    study = shoal.Study(frame, policy)
    release = study.release()
    release.save(tmp_path / "out")
    assert pl.read_parquet(tmp_path / "out/release.parquet").equals(release.table)
    # Names are drawn for each release, and noise for each study: of several, nobody could take the middle.
    again = study.release()
    assert sorted(again.table["visits"]) == sorted(release.table["visits"]) != sorted(frame["visits"])
    assert set(again.table["name"]).isdisjoint(release.table["name"])


def test_a_recipe_does_not_name_files_that_others_have_changed(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    frame, jobs = people.to_polars(), tmp_path / "jobs.csv"
    lines = "".join(f'"{job}";{"AB"[len(job) % 2]};*\n' for job in sorted(set(frame["occupation"].drop_nulls())))
    jobs.write_text(lines)
    policy["occupation"] = shoal.quasi(jobs, min_level=1)
    release = shoal.anonymize(frame, policy)
    assert release.recipe
    jobs.write_text(lines.replace(";A;", ";a;"))
    with pytest.raises(shoal.Changed, match=r"jobs\.csv was changed"):
        _ = release.recipe
    with pytest.raises(shoal.Changed, match=r"jobs\.csv was changed"):
        release.save(tmp_path / "out", recipe=True)
    assert not (tmp_path / "out").exists()
    assert shoal.anonymize(frame, policy).recipe


def test_the_same_comes_out_every_time(people: shoal.Table, policy: shoal.Policy) -> None:
    one, two = (shoal.anonymize(people.to_polars(), policy, method="mondrian").table for _ in range(2))
    assert one.equals(two)


def test_explanations() -> None:
    assert "Definition" in shoal.explain("t-closeness") and "k-anonymity" in shoal.explain()
    with pytest.raises(shoal.PolicyError, match="did you mean|there is"):
        shoal.explain("t-closenes")


def test_sklearn(people: shoal.Table, policy: shoal.Policy) -> None:
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    from shoal.sklearn import Anonymizer

    frame = people.to_polars()
    pipeline = make_pipeline(Anonymizer(policy)).fit(frame)
    released = pipeline.transform(frame)
    assert isinstance(released, pl.DataFrame) and released.columns == ["age", "occupation", "zip code"]
    others = shoal.generate("census", rows=5000, seed=9).to_polars()
    unlike = clone(Anonymizer(policy, suppress_unknown=True)).fit(frame)
    assert unlike.transform(others).height <= 5000
    with pytest.raises(shoal.NoRelease):
        unlike.transform(others.head(3))
    with pytest.raises(shoal.PolicyError, match="there is no recipe for a release of `microaggregation`"):
        Anonymizer(policy, settings={"method": "microaggregation"}).fit(frame)


def test_a_risk_is_shown_in_a_line(people: shoal.Table, policy: shoal.Policy) -> None:
    risk = shoal.anonymize(people, policy).risk
    assert risk is not None
    assert repr(risk).startswith("Risk(highest 0.") and len(repr(risk)) < 200


def achieved(table: object, model: str, quasi: list[str], sensitive: list[str]) -> float:
    found = shoal.audit(table, quasi=quasi, sensitive=sensitive)
    return next(one.achieved for one in found.models if one.model == model and one.get("distance", "equal") == "equal")


def test_answers_that_other_packages_get_wrong() -> None:
    """The small tables of docs/python.md, on which pycanon, anjana and anonypy are wrong."""
    import pandas as pd

    patients = pd.DataFrame({"age": [30, 30, 40, 40], "illness": ["flu", "flu", "gout", "gout"]})
    for order in [[0, 1, 2, 3], [0, 2, 1, 3]]:
        assert achieved(patients.loc[order], "distinct-l-diversity", ["age"], ["illness"]) == 1
    unknown = pd.DataFrame({"age": [30, 30, None], "illness": ["flu", "gout", "cancer"]})
    assert achieved(unknown, "k-anonymity", ["age"], ["illness"]) == 1
    people = pd.DataFrame({"sex": ["f", "f", "f", "m"], "illness": ["flu", "gout", "flu", "cancer"]})
    policy = shoal.Policy()
    policy["sex"], policy["illness"] = shoal.quasi(suppress=True, max_level=0), shoal.sensitive()
    policy.require("k-anonymity", k=2)
    released = shoal.anonymize(people, policy, max_suppressed=0.5).table
    assert list(released.columns) == ["sex", "illness"] and list(released["sex"]) == ["f", "f", "f"]
    ages = [text for text in ["[20-22]", "[23-25]", "[26-28]", "[29-31]"] for _ in range(3)]
    wages = pd.DataFrame({"age": ages, "wage": ["low"] * 6 + ["high"] * 6})
    assert achieved(wages, "t-closeness", ["age"], ["wage"]) == 0.5


def test_names_of_columns_may_be_one_text(people: shoal.Table) -> None:
    one = shoal.audit(people, quasi="age", sensitive="occupation")
    assert without_measured(one.to_dict()) == without_measured(shoal.audit(people, quasi=["age"], sensitive=["occupation"]).to_dict())


def test_what_an_audit_is_told_must_fit_together(people: shoal.Table, policy: shoal.Policy) -> None:
    with pytest.raises(shoal.PolicyError, match="the policy says what the columns are"):
        shoal.audit(people, policy=policy, quasi=["age"])
    with pytest.raises(shoal.PolicyError, match="did you mean `confidence`") as caught:
        shoal.audit(people, quasi=["age"], confidance=1)
    assert caught.value.key == "confidance" and "--" not in str(caught.value)
    with pytest.raises(shoal.PolicyError, match="did you mean `sensitive`"):
        shoal.audit(people, quasi=["age"], sensitiv=["occupation"])
    with pytest.raises(TypeError, match="dict is no policy"):
        shoal.anonymize(people, {"age": "quasi-identifier"})


def test_what_was_not_measured_is_not_there(people: shoal.Table, policy: shoal.Policy) -> None:
    release = shoal.anonymize(people, policy)
    again = shoal.apply(release.recipe, people)
    assert not hasattr(again, "loss") and not hasattr(again, "objectives") and again.levels is None
    assert repr(shoal.Recipe("no recipe")) == repr(shoal.Recipe("{}")) == "Recipe that cannot be read"


def test_a_failed_save_leaves_no_folder(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    release = shoal.anonymize(people, policy)
    with pytest.raises(shoal.ShoalError, match="cannot be written as"):
        release.save(tmp_path / "new" / "out", name="release.nonsense")
    assert list(tmp_path.iterdir()) == []


def test_answers_are_lists(people: shoal.Table, policy: shoal.Policy) -> None:
    study = shoal.Study(people, policy)
    for answer in [study.solutions(all=True), study.compare(k=[2, 5, 10])]:
        assert answer[:2] == [answer[0], answer[1]] and answer[-1] == answer[len(answer) - 1]


def test_a_fitted_anonymizer_is_kept_without_the_rows(people: shoal.Table, policy: shoal.Policy) -> None:
    import pickle

    from shoal.sklearn import Anonymizer

    for table in [people, people.to_polars(), people.to_arrow(), people.to_pandas()]:
        fitted = Anonymizer(policy).fit(table)
        same = pickle.loads(pickle.dumps(fitted))
        assert same.get_feature_names_out() == fitted.get_feature_names_out() == ["age", "occupation", "zip code"]
        assert len(same.transform(table)) == 1000 and fitted.release_.rows == 1000
