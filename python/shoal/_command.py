"""How is the command ``shoal`` started?"""

from __future__ import annotations

import signal
import sys

from shoal import _shoal


def main() -> None:
    """Run the command with the words it was started with."""
    # The command knows by itself what to do when it is interrupted, and Python would only notice afterwards.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_shoal.main(["shoal", *sys.argv[1:]]))
