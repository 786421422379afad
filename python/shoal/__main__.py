"""``python -m shoal`` is the command ``shoal``."""

from shoal._command import main

main()
