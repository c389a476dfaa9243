#!/bin/bash
# SPDX-License-Identifier: MIT
# mjcf.t - does mjcf2tactus make of MJCF files what MuJoCo 3 makes of them?   prove tests/oracle/mjcf.t
#   given   node, python3, the npm package @mujoco/mujoco (make tools-oracle), build/tactus; without them it is skipped.
#           TACTUS_MENAGERIE: a folder of MuJoCo's public models, all of which are tried too
#   makes   TAP, by mjcf.py: files of each feature and random worlds; the differences as diagnostics
#   bound   half a minute
#   never   has the models of others in it
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
package=build/npm/oracle/node_modules/@mujoco/mujoco
need 'no node' command -v node
need 'no MuJoCo 3 (make tools-oracle)' test -f $package/mujoco.wasm
out=build/tests/oracle-mjcf
rm -rf $out
mkdir -p $out
python3 tests/oracle/mjcf.py $package $out
