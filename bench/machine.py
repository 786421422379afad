"""On which machine, and with which version of everything, was it measured?"""

import os
import platform
import subprocess


def describe(root, apart_from=()):
    """Names and values, in the order in which they are printed."""
    commit = output("git", "-C", root, "rev-parse", "--short=12", "HEAD")
    changed = [f":(exclude){path}" for path in apart_from]
    if output("git", "-C", root, "status", "--porcelain", "--untracked-files=no", "--", ".", *changed):
        commit += " with uncommitted changes"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": first_of("/proc/cpuinfo", "model name") or platform.processor() or "unknown",
        "cores": str(cores),
        "memory": memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "rustc": output("rustc", "--version"),
        "commit": commit,
        "load": load(cores),
    }


def output(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def first_of(path, key):
    """The value of the first line of a file of `key: value` lines."""
    try:
        with open(path) as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key)), None)
    except OSError:
        return None


def memory():
    kilobytes = first_of("/proc/meminfo", "MemTotal")
    return f"{int(kilobytes.split()[0]) / 2**20:.0f} GB" if kilobytes else "unknown"


def load(cores):
    """How busy others keep the machine: figures of a busy one mean little."""
    busy = os.getloadavg()[0]
    warning = ": others are using this machine, and times mean little" if busy > cores / 4 else ""
    return f"{busy:.1f} before{warning}"
