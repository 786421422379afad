#!/usr/bin/env python3
"""Cuts crates/shoal into shoal-core, shoal-format, shoal, shoal-report. Run in a clean checkout's root."""
import os, re, subprocess, sys
from pathlib import Path

CORE = "printable error exact page progress warning text_file spill table hierarchy lattice words frequency distance model objective method recode".split()
FORMAT = "format"
REPORT = "report"
ROOTS = {"Error", "Result"}

def run(*a): subprocess.run(a, check=True)
def mv(a, b):
    Path(b).parent.mkdir(parents=True, exist_ok=True)
    run("git", "mv", str(a), str(b))

src = Path("crates/shoal/src")
def place(m): return src/(m + ".rs") if (src/(m + ".rs")).exists() else src/m

for m in CORE:
    p = place(m); mv(p, f"crates/shoal-core/src/{p.name}")
for p in sorted((src/"format").iterdir()):
    mv(p, "crates/shoal-format/src/" + ("lib.rs" if p.name == "mod.rs" else p.name))
for p in sorted((src/"report").iterdir()):
    mv(p, "crates/shoal-report/src/" + ("lib.rs" if p.name == "mod.rs" else p.name))

def split_group(body):
    parts, depth, cur = [], 0, ""
    for c in body:
        if c == "{": depth += 1
        if c == "}": depth -= 1
        if c == "," and depth == 0: parts.append(cur); cur = ""
        else: cur += c
    if cur.strip(): parts.append(cur)
    return [p.strip() for p in parts if p.strip()]

def owner(name, crate):
    """which crate path a first name after `crate::`/`shoal::` has, seen from `crate`"""
    if name in CORE or name in ROOTS: return "shoal_core" if crate != "core" else "crate"
    if name == FORMAT: return "shoal_format" if crate != "format" else "crate"
    if name == REPORT: return "shoal_report" if crate != "report" else "crate"
    return "shoal" if crate != "shoal" else "crate"

def target(name, crate):
    o = owner(name, crate)
    if name in (FORMAT, REPORT): return o, None     # the module is the crate itself
    return o, name

def rewrite(text, crate, root):
    # grouped: root::{a, b::c}
    def group(m):
        inner = m.group("body"); by = {}
        for part in split_group(inner):
            first = re.match(r"\w+", part).group(0); rest = part[len(first):]
            o, n = target(first, crate)
            by.setdefault(o, []).append((n + rest) if n else (rest.removeprefix("::") or "self as format"))
        lead = m.group("lead")
        return " ".join(f"{lead}{o}::{{{', '.join(ps)}}};" if not (len(ps) == 1 and not ps[0].startswith("self")) else f"{lead}{o}::{ps[0]};" for o, ps in by.items())
    text = re.sub(r"(?P<lead>(?:pub(?:\([a-z]+\))? )?use )" + root + r"::\{(?P<body>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\};", group, text)
    def single(m):
        o, n = target(m.group(1), crate)
        after = text[m.end():m.end()+2]
        if n is None:
            return o if after == "::" else o
        return f"{o}::{n}"
    text = re.sub(r"(?<![\w$:])" + root + r"::(\w+)", single, text)
    text = re.sub(r"use shoal_format::\{self,", "use shoal_format::{self as format,", text)
    text = re.sub(r"use shoal_format::\{self\}", "use shoal_format as format", text)
    text = re.sub(r"use shoal_format::\{self as format\}", "use shoal_format as format", text)
    text = re.sub(r"use shoal_format;", "use shoal_format as format;", text)
    return text

for crate in ["core", "format", "report", "shoal"]:
    base = Path("crates/shoal/src" if crate == "shoal" else f"crates/shoal-{crate}/src")
    for f in base.rglob("*.rs"):
        t = f.read_text(); n = rewrite(t, crate, "crate")
        if n != t: f.write_text(n)
for base in ["crates/shoal-cli", "crates/shoal-engine", "crates/shoal-fuzz", "crates/shoal/tests", "crates/shoal/benches", "crates/shoal-torture", "fuzz/fuzz_targets"]:
    for f in Path(base).rglob("*.rs"):
        t = f.read_text(); n = rewrite(t, "none", "shoal")
        if n != t: f.write_text(n)

# ---- manifests and roots
HEAD = '''[package]
name = "{name}"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
description = "{what}"

[lib]
bench = false

[dependencies]
{deps}

[dev-dependencies]
{dev}

[lints]
workspace = true
'''
def deps(names): return "\n".join(f"{n}.workspace = true" for n in names.split())
def manifest(name, what, d, dev, extra=""):
    Path(f"crates/{name}/Cargo.toml").write_text(HEAD.format(name=name, what=what, deps=deps(d), dev=deps(dev)) + extra)
manifest("shoal-core", "What Shoal decides with: exact arithmetic, tables, hierarchies, frequency sets, models, objectives, methods, recoding",
  "chrono csv foldhash hashbrown hmac rand rand_chacha rayon rust_decimal serde serde_json sha2 strsim tempfile toml", "proptest")
manifest("shoal-format", "How Shoal reads and writes tables",
  "arrow-array arrow-cast arrow-schema calamine cfb chrono csv encoding_rs flate2 hashbrown parquet quick-xml rayon rusqlite serde serde_json shoal-core tempfile zip zstd", "proptest rust_xlsxwriter")
benches = "".join(f'\n[[bench]]\nname = "{b}"\nharness = false\n' for b in "blocks_and_anatomy encode group_by local models search".split())
manifest("shoal", "Publish data about people safely: k-anonymity, l-diversity, t-closeness and more, proven on the released file",
  "arrow-array arrow-cast arrow-row arrow-schema arrow-select chrono csv ed25519-dalek encoding_rs foldhash getrandom hashbrown pem-rfc7468 rand rand_chacha rayon rust_decimal serde serde_json sha2 shoal-core shoal-format tempfile toml twox-hash", "criterion proptest rust_xlsxwriter", benches)
manifest("shoal-report", "What there is to say about a release: text, JSON, pages, plots, certificates",
  "kuva serde serde_json shoal shoal-core shoal-format toml", "proptest")
ws = Path("Cargo.toml"); t = ws.read_text()
t = t.replace('members = ["crates/shoal", "crates/shoal-cli", "crates/shoal-engine", "crates/shoal-fuzz", "crates/shoal-torture"]', 'members = ["crates/*"]')
t = t.replace('shoal = { path = "crates/shoal" }\n', 'shoal = { path = "crates/shoal" }\nshoal-core = { path = "crates/shoal-core" }\nshoal-format = { path = "crates/shoal-format" }\nshoal-report = { path = "crates/shoal-report" }\n')
ws.write_text(t)
for c in ["shoal-cli", "shoal-engine", "shoal-fuzz"]:
    p = Path(f"crates/{c}/Cargo.toml"); t = p.read_text()
    t = t.replace("shoal.workspace = true\n", "shoal.workspace = true\nshoal-core.workspace = true\nshoal-format.workspace = true\nshoal-report.workspace = true\n")
    p.write_text(t)
Path("crates/shoal-core/src/lib.rs").write_text('''//! Everything that decides: errors, exact arithmetic, tables, hierarchies, frequency sets, models, objectives, methods, recoding.
//!
//! Nothing here knows a file format, a database or a page.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

// Words shared by all: what went wrong, exact fractions, pages of `shoal explain`, progress, counts too large for memory,
// warnings, numbers for people.
pub mod error;
pub mod exact;
pub mod page;
pub mod printable;
pub mod progress;
pub mod spill;
pub mod text_file;
pub mod warning;
pub mod words;

// encode
pub mod hierarchy;
pub mod table;

// count
pub mod frequency;
pub mod lattice;

// partition
pub mod distance;
pub mod method;
pub mod model;
pub mod objective;

// recode
pub mod recode;

pub use error::{Error, Result};
''')
Path("crates/shoal/src/lib.rs").write_text('''//! Shoal turns a table about people into one that can be published.
//!
//! The modules stand in the order in which a table passes through them:
//! read → encode → count → partition → recode → verify → write.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod interruption;
pub mod key;

// verify, write
pub mod outsider;
pub mod publish;
pub mod source;
pub mod verify;

// what is still possible
pub mod attack;
pub mod meaning;
pub mod risk;
pub mod utility;

// the whole line
pub mod audit;
pub mod compare;
pub mod init;
pub mod pipeline;
pub mod policy;
pub mod recipe;

// tables to try things on
pub mod generate;

pub use shoal_core::{Error, Result};
''')

# ---- tests: one binary a crate
CORE_TESTS = "adult adult_sweep citations cutting edges laws_bounds laws_cutting laws_frequency laws_generalized laws_local laws_methods laws_models laws_objectives laws_searches laws_separation_and_blocks laws_suppression laws_sweep laws_ties one_dimensional papers".split()
LIB_TESTS = "anatomy attacks dependencies laws_audit laws_ends modules publishing side_by_side".split()
ALLOW = '#![allow(clippy::unwrap_used, reason = "a test may panic")]\n'
def gather(names, frm, to, what, tables):
    for n in names:
        mv(f"{frm}/{n}.rs", f"{to}/{n}.rs")
        p = Path(f"{to}/{n}.rs"); t = p.read_text()
        t = re.sub(r"^#!\[allow\(clippy::unwrap_used[^\]]*\)\]\n", "", t, flags=re.M)
        t = re.sub(r"^mod tables;\n", "", t, flags=re.M)
        t = re.sub(r"(?<![\w:])tables::", "crate::tables::", t) if "tables::" in t else t
        t = re.sub(r"use tables;", "use crate::tables;", t)
        p.write_text(t)
    mods = "\n".join(f"mod {n};" for n in sorted(names))
    Path(f"{to}/main.rs").write_text(f"//! {what}\n{ALLOW}\n{tables}{mods}\n")
gather(CORE_TESTS, "crates/shoal/tests", "crates/shoal-core/tests/laws", "Laws, hand-computed cases and the papers' tables.", "mod tables;\n")
mv("crates/shoal/tests/tables", "crates/shoal-core/tests/laws/tables")
mv("crates/shoal/tests/data", "crates/shoal-core/tests/data")
gather(LIB_TESTS, "crates/shoal/tests", "crates/shoal/tests/library", "What the library does as a whole, and what shape it has.", '#[path = "../../../shoal-core/tests/laws/tables/mod.rs"]\nmod tables;\n')
