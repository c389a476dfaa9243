#!/bin/bash
# SPDX-License-Identifier: MIT
# deadline.t - on an A1 that nothing holds, is the executive on time, and does any part of a step cost more than src/step/README.md says?
#   given   TACTUS_DATA; deadline beside this file
#   makes   TAP: 1000 cycles at 60 % of the period, as many steps by hand
#   bound   60 s
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no data' test -f "${TACTUS_DATA:-}/urdf/a1.urdf"

check 'on time, joints hold, costs are those of the page' tests/bench/deadline 1000 one
finish
