"""`python -m beryl`."""

import sys

from beryl.cli.main import main

sys.exit(main())
