#!/usr/bin/env python3
"""Error::new(..) becomes an error of a kind; Progress becomes Watch. After split.py."""
import re, subprocess
from pathlib import Path
TABLE = ["has no column", "no rows are left", "no rows to audit", "holds text, so its", "changed while", "written like a missing one",
  "lie in none of the recipe", "values that the recipe does not know", "needs numbers, and column", "needs dates, and column", "do not belong together",
  "has none of the", "is written `{marker}`", "are too large for these intervals", "its mask, {length}", "too long to be masked", "holds {held}",
  "does not occur in column", "the years of column", "is text, which has no order", "does not have the columns it should", "count that is none",
  "the population table contradicts", "numbers or truth values both bare", "has a type that has no order", "the levels of column"]
PLACE = ["operating system gives no random", "is there already, and a key", "too long to be a key", "take more than `memory-limit`", "has room for",
  "cannot write", "cannot lock", "cannot make a temporary", "larger than", "alone take more", "cannot look at a staged"]
BUG = ["failed its verification", "rows were counted, but there are counts", "has no pseudonyms", "was not said to be written", "was not verified",
  "shows a value that the input lacks", "cannot recode a column", "cannot make the page", "not made of lines"]
CHANGED = ["table changed while", "changed while it was being", "was changed after it was verified"]
CANCELLED = ["interview was broken off"]
DEFAULT = [("shoal-format/", "table"), ("shoal/src/publish/", "place"), ("shoal/src/outsider/", "table"), ("shoal/src/source/", "table"), ("shoal-core/src/table/", "table"),
  ("shoal-core/src/spill", "place"), ("shoal-core/src/frequency", "place"), ("shoal-core/src/text_file", "place"), ("shoal-engine/", "place"), ("", "policy")]
def kind_of(path, after):
    for name, words in [("changed", CHANGED), ("bug", BUG), ("place", PLACE), ("table", TABLE), ("cancelled", CANCELLED)]:
        if any(w in after for w in words): return name
    return next(k for p, k in DEFAULT if path.startswith(p))
for f in Path("crates").rglob("*.rs"):
    if f.name == "error.rs" and "shoal-core" in str(f): continue
    if "torture" in str(f): continue
    t = f.read_text(); o = t; path = str(f)[len("crates/"):]
    def sub(m):
        after = t[m.end():m.end() + 260]
        end = after.find(";"); after = after[:end] if end > 0 else after
        k = kind_of(path, after.split(".hint(")[0])
        if k == "cancelled": return f"Error::new(Kind::Cancelled, "
        return f"Error::{k}("
    t = re.sub(r"(?<!io::)\bError::new\(", sub, t)
    t = re.sub(r"Error::answer_is_no\(", "Error::no_release(" if "/method/" in path or "/recipe/" in path else "Error::not_met(", t)
    t = t.replace("ErrorKind::AnswerIsNo", "Kind::NoRelease")
    t = re.sub(r"error::ErrorKind\b", "error::Kind", t)
    # progress -> watch
    t = re.sub(r"\bprogress::\{Progress, Silent\}", "watch::{Unwatched, Watch}", t)
    t = re.sub(r"\bprogress::Progress\b", "watch::Watch", t); t = re.sub(r"\bprogress::Silent\b", "watch::Unwatched", t)
    t = re.sub(r"pub mod progress;", "pub mod watch;", t)
    t = re.sub(r"\bdyn Progress\b", "dyn Watch", t); t = re.sub(r"impl Progress for", "impl Watch for", t)
    t = re.sub(r"(?<![\w:.])Silent\b(?=[,);\s])", "Unwatched", t) if "Silent" in t else t
    t = re.sub(r"&Silent\b", "&Unwatched", t)
    t = re.sub(r"\bprogress: &", "watch: &", t); t = re.sub(r"\b_progress: &", "_watch: &", t)
    t = re.sub(r"(?<![\w.\"`/])progress(?=[.,)])", "watch", t)
    if t != o: f.write_text(t)
