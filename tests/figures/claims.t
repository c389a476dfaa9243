#!/bin/bash
# SPDX-License-Identifier: MIT
# claims.t - do claims stand in their pages, is each number of a table claimed, is its command named?   prove tests/figures/claims.t
#   given   tests/figures/claims, the README.md of every folder; python3
#   makes   TAP
#   bound   a second
#   never   measures: that is `make figures`
set -eu
exec "$(dirname "$0")/check.py" --pages
