#!/bin/bash
# SPDX-License-Identifier: MIT
# claims.t - does every claim stand in its page, and does every figure of the front page name its command?   prove tests/figures/claims.t
#   given   tests/figures/claims; python3
#   makes   TAP
#   bound   a second
#   never   measures: that is `make figures`
set -eu
exec "$(dirname "$0")/check.py" --pages
