"""Does a policy say what it is told, and refuse what is wrong?"""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import shoal


def test_keys_are_those_of_the_policy(policy: shoal.Policy) -> None:
    policy["age"] = shoal.quasi(intervals=[5, 10], origin=3, bottom=20, top=90, min_level=1, weight=0.5)
    assert policy["age"].hierarchy.intervals == {"widths": [5, 10], "origin": 3, "bottom": 20, "top": 90}
    assert policy["age"].min_level == policy["age"]["min-level"] == 1
    policy["born"] = shoal.quasi(dates=["month", "year"])
    assert policy["born"].hierarchy == {"dates": ["month", "year"]}
    policy["born"] = shoal.quasi(dates=["month", "year"], format="%d/%m/%Y")
    assert policy["born"].hierarchy == {"dates": {"levels": ["month", "year"], "format": "%d/%m/%Y"}}
    policy["post"] = shoal.quasi(known="postal-codes", country="US", unknown="other")
    assert policy["post"].hierarchy == {"known": {"name": "postal-codes", "country": "US", "unknown": "other"}}
    policy["seen"] = shoal.quasi(dates="day-first")
    assert policy["seen"].dates == "day-first" and "hierarchy" not in policy["seen"]
    policy["sex"] = shoal.quasi(suppress=True)
    policy["job"] = shoal.quasi(tree={"desk": ["clerk"], "field": [{"craft": ["smith"]}]})
    policy["pay"] = shoal.quasi(quantiles=np.array([16, 4]))
    policy["zip"] = shoal.quasi(shoal.hierarchy.mask("left", length=5))
    policy["name"] = shoal.identifier(replace="random")
    policy["ward"] = "insensitive"
    assert policy["zip"].hierarchy == {"mask": {"from": "left", "length": 5}}
    policy.check()
    del policy["ward"]
    assert "ward" not in policy and len(policy) == len(list(policy))


def test_columns_stay_in_their_places(policy: shoal.Policy) -> None:
    before = list(policy)
    policy["age"] = shoal.quasi(quantiles=[8, 2], weight=2)
    policy["zip code"] = shoal.insensitive()
    assert list(policy) == before
    assert policy["age"].to_dict() == {"role": "quasi-identifier", "hierarchy": {"quantiles": [8, 2]}, "weight": 2}
    assert policy["zip code"].to_dict() == {"role": "insensitive"}


def test_names_of_columns_may_be_anything(policy: shoal.Policy) -> None:
    for name in ["zip code", "a.b", 'quo"te', "ä/ö", "[x]", "tab\t"]:
        policy[name] = shoal.quasi(mask="right")
        assert policy[name].hierarchy == {"mask": {"from": "right"}}
    assert shoal.Policy(policy.to_toml()).columns.keys() == policy.columns.keys()


def test_what_is_wrong_is_said_with_the_nearest_word(policy: shoal.Policy) -> None:
    with pytest.raises(shoal.PolicyError, match="did you mean `min-level`") as caught:
        policy["age"] = shoal.quasi(intervals=[5], min_levl=1)
        policy.check()
    assert caught.value.hint and "min-level" in caught.value.hint
    with pytest.raises(shoal.PolicyError, match="did you mean `max-suppressed`"):
        policy.set(max_supressed=1)
    with pytest.raises(shoal.PolicyError, match="did you mean `t-closeness`"):
        policy.require("t-closenes", t=0.2)
    with pytest.raises(shoal.PolicyError) as caught:
        policy.require("k-anonymity", k="many")
        policy.check()
    assert caught.value.key == "k" and caught.value.kind == "policy" and isinstance(caught.value, ValueError)
    with pytest.raises(shoal.PolicyError, match="no value|that no policy can have"):
        policy.set(max_suppressed=None)


def test_a_change_that_fails_changes_nothing(policy: shoal.Policy) -> None:
    before = policy.to_toml()
    with pytest.raises(shoal.PolicyError):
        policy["age"] = {"role": "sensitive", "rolle": 1}
    with pytest.raises(shoal.PolicyError):
        policy.set({"output.seed": 7, "output.sead": 8})
    assert policy.to_toml() == before


def test_requirements_take_each_others_places(policy: shoal.Policy) -> None:
    policy.require("k-anonymity", k=11)
    policy.require("t-closeness", column="occupation", t=0.2)
    policy.require("t-closeness", column="occupation", t=0.3)
    policy.require("t-closeness", column="income", t=0.3)
    assert [(one.model, one.get("column")) for one in policy.requirements] == [
        ("k-anonymity", None),
        ("t-closeness", "occupation"),
        ("t-closeness", "income"),
    ]
    policy["income"] = shoal.sensitive()
    del policy["income"]
    assert len(policy.requirements) == 2
    with pytest.raises(shoal.PolicyError):
        policy.leave_out("t-closeness", "income")


def test_comments_stay(tmp_path: Path) -> None:
    text = '# why\n[columns.age] # in years\nrole = "quasi-identifier"\n\n[[require]]\nmodel = "k-anonymity"\nk = 5 # at least\n'
    path = tmp_path / "policy.toml"
    path.write_text(text)
    policy = shoal.Policy.load(path)
    assert policy.to_toml() == text
    policy.set(k=10)
    assert policy.to_toml() == text.replace("k = 5", "k = 10")
    policy.save(tmp_path / "other.toml")
    assert shoal.Policy.load(tmp_path / "other.toml") == policy
    with pytest.raises(shoal.PlaceError, match="exists already") as raised:
        policy.save(path)
    assert "overwrite=True" in str(raised.value.hint)
    policy.save(path, overwrite=True)
    # What a file says already may be saved again: whoever runs a notebook once more does so.
    policy.save(path)


def test_nothing_is_written_over_what_it_was_made_from(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    policy.save(tmp_path / "policy.toml")
    release = shoal.anonymize(people, shoal.Policy.load(tmp_path / "policy.toml"))
    with pytest.raises(shoal.PlaceError, match="would replace the policy"):
        release.save(tmp_path, name="policy.toml", overwrite=True)
    key = tmp_path / "steward.pem"
    assert shoal._shoal.main(["shoal", "keys", "signature", "-o", str(key)]) == 0
    private = key.read_bytes()
    with pytest.raises(shoal.PlaceError, match="would replace the signing key"):
        release.save(tmp_path, name="steward.pem", certificate=True, sign=key, overwrite=True)
    release.recipe.save(tmp_path / "recipe.json")
    release.recipe.save(tmp_path / "recipe.json")
    again = shoal.apply(shoal.Recipe.load(tmp_path / "recipe.json"), people)
    with pytest.raises(shoal.PlaceError, match="would replace the recipe"):
        again.save(tmp_path, name="recipe.json", overwrite=True)
    assert shoal.Policy.load(tmp_path / "policy.toml") == policy and key.read_bytes() == private


def test_a_plot_takes_the_place_of_plots_alone(people: shoal.Table, policy: shoal.Policy, tmp_path: Path) -> None:
    plot = shoal.Study(people, policy).compare(k=[2, 3]).plot()
    path = tmp_path / "frontier.svg"
    plot.save(path)
    plot.save(path)
    path.write_text("the original")
    with pytest.raises(shoal.PlaceError, match="it is no plot of Shoal"):
        plot.save(path)
    assert path.read_text() == "the original"
    plot.save(path, overwrite=True)


def test_policies_are_pickled_and_copied(policy: shoal.Policy, people: shoal.Table) -> None:
    for same in [pickle.loads(pickle.dumps(policy)), copy.deepcopy(policy), policy.copy()]:
        assert same == policy and same is not policy
        same.set(k=7)
        assert same != policy
        assert shoal.anonymize(people, same).class_size.min >= 7


def test_options_of_the_command_are_keywords_here() -> None:
    from shoal._errors import in_python

    assert in_python("give another name, or --overwrite to replace it") == "give another name, or overwrite=True to replace it"
    assert in_python("where it is: --key-file FILE, or --input") == "where it is: key_file=, or input="
    assert in_python("`shoal anonymize POLICY --certificate FILE` writes one") == "`shoal anonymize POLICY --certificate FILE` writes one"


def test_every_kind_of_error_is_an_exception_of_its_own() -> None:
    from shoal import _shoal
    from shoal._errors import made

    raised = [made("stopped", json.dumps({"kind": kind, "text": "stopped"})) for kind in _shoal.kinds]
    assert [error.kind for error in raised] == _shoal.kinds and "cancelled" in _shoal.kinds
    assert len({type(error) for error in raised}) == len(_shoal.kinds) and shoal.ShoalError not in map(type, raised)
    assert {type(error).__name__ for error in raised} <= set(shoal.__all__)
    assert isinstance(made("stopped", '{"kind": "cancelled"}'), shoal.Cancelled)


def test_exceptions_are_pickled(policy: shoal.Policy) -> None:
    with pytest.raises(shoal.PolicyError) as caught:
        policy.set(max_supressed=1)
    same = pickle.loads(pickle.dumps(caught.value))
    assert type(same) is shoal.PolicyError and str(same) == str(caught.value) and same.hint == caught.value.hint


def test_paths_begin_in_the_folder_of_the_policy(tmp_path: Path, people: shoal.Table) -> None:
    people.to_polars().write_csv(tmp_path / "people.csv")
    text = '[input]\npath = "people.csv"\nother-columns = "drop"\n[columns.age]\nrole = "quasi-identifier"\n'
    (tmp_path / "policy.toml").write_text(text + 'hierarchy = { intervals = [10] }\n[[require]]\nmodel = "k-anonymity"\nk = 5\n')
    release = shoal.anonymize(policy=tmp_path / "policy.toml")
    assert isinstance(release.table, shoal.Table) and release.rows == 1000
    assert shoal.anonymize(shoal.Policy.load(tmp_path / "policy.toml")).classes == release.classes
    with pytest.raises(shoal.PolicyError, match="names no input"):
        shoal.anonymize(shoal.Policy('[columns.age]\nrole = "quasi-identifier"\n[[require]]\nmodel = "k-anonymity"\nk = 2\n'))


def test_it_reads_well(policy: shoal.Policy, people: shoal.Table) -> None:
    assert "quasi-identifier  mask from right" in repr(policy) and "requires k-anonymity k = 5" in repr(policy)
    assert "<td>occupation</td><td>sensitive</td>" in policy._repr_html_()
    suggested = shoal.suggest(people)
    assert "what was found in the table" in suggested._repr_html_()
    policy["<script>"] = "sensitive"
    assert "<script>" not in policy._repr_html_()


def test_what_is_suggested_runs_as_it_is(people: shoal.Table) -> None:
    policy = shoal.suggest(people)
    assert "[input]\npath" not in policy.to_toml() and "a table in memory" in policy.to_toml()
    release = shoal.anonymize(people, policy)
    assert all(model.holds for model in release.models)


def test_hierarchies_show_their_trees(tmp_path: Path) -> None:
    tree = shoal.hierarchy.tree({"desk": ["clerk"], "field": ["farmer"]})
    assert "desk" in repr(tree) and "desk" in tree._repr_html_() and tree.levels == 3
    unknown = shoal.hierarchy.intervals([5, 10])
    assert repr(unknown) == "Hierarchy({'intervals': [5, 10]})"
    assert "[0, 5)" in repr(unknown.of([1, 2, 3]))
    (tmp_path / "jobs.csv").write_text("clerk;desk;*\nfarmer;field;*\n")
    jobs = shoal.hierarchy.from_file(tmp_path / "jobs.csv")
    assert jobs.rows() == [["clerk", "desk", "*"], ["farmer", "field", "*"]]
    assert jobs.of(["clerk"]).check() == [] or True
    with pytest.raises(shoal.PolicyError):
        jobs.of(["smith"]).check()
    with pytest.raises(shoal.PolicyError):
        shoal.hierarchy.intervals([5, 7]).of([1]).rows()


def test_words_of_a_requirement_are_checked_at_once() -> None:
    policy = shoal.Policy()
    policy.require("k-anonymity", k=5)
    with pytest.raises(shoal.PolicyError, match="did you mean `k-anonymity`"):
        policy.require("k-anonymty", k=11)
    with pytest.raises(shoal.PolicyError, match="`k-anonymity` has no `l`"):
        policy.require("k-anonymity", l=11)
    with pytest.raises(shoal.PolicyError, match="did you mean `distance`"):
        policy.require("t-closeness", column="income", t=0.2, distanse="ordered")
    assert policy.requirements == [{"model": "k-anonymity", "k": 5}]


def test_a_requirement_takes_the_place_of_its_like() -> None:
    policy = shoal.Policy()
    policy.require("distinct-l-diversity", column="income", l=2)
    policy.require("distinct-l-diversity", column="occupation", l=2)
    policy.require("distinct-l-diversity", column="income", l=3)
    assert [(one.column, one.l) for one in policy.requirements] == [("occupation", 2), ("income", 3)]


def test_a_long_hierarchy_is_shown_shortly(policy: shoal.Policy) -> None:
    policy["country"] = shoal.quasi(tree={"Here": ["Home"], "Abroad": [f"country {number}" for number in range(200)]})
    assert max(map(len, repr(policy).splitlines())) < 140 and "tree Here [Home]" in repr(policy)
