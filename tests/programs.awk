# SPDX-License-Identifier: MIT
# programs.awk - how each test program is made, as lines for make: awk -v rooms="base sets ..." -f tests/programs.awk TEST.c...
#   given   the folders of src; tests, one file each; in their first lines "// config: NAME" or "// config: -D...", "// variants: ..."
#   makes   for each test config_, own_, variants_ and sources_ (see the Makefile) with its path behind; WHOLE_TESTS,
#           API_TESTS: those that have no part of the kernel in them
#   bound   one pass over all tests
#   never   looks into headers
BEGIN {
    gsub(/ /, "|", rooms)
    inner = "^#include \"(" rooms ")/"
}
function finish()
{
    if (test == "") { return }
    sources = test ".c tests/tap.c"
    if (!whole && !(part && !calls)) { sources = sources " targets/scenes/" (robots ? "robots" : "scenes") ".c src/tactus.c" }
    if (whole) { print "WHOLE_TESTS += " test }
    if (!whole && !part) { print "API_TESTS += " test }
    own = config ~ /^-D/ ? config : ""
    printf "config_%s := %s\nown_%s := %s\nvariants_%s := %s\nsources_%s := %s\n", test, \
        own != "" ? "" : config == "" ? "default" : config, test, own, test, variants, test, sources
}
FNR == 1 {
    finish()
    test = FILENAME
    sub(/\.c$/, "", test)
    config = variants = ""
    whole = part = calls = robots = 0
}
/^\/\/ config: / { config = config (config == "" ? "" : " ") substr($0, 12) }
/^\/\/ variants: / { variants = substr($0, 14) }
/^#include "tactus\.c"/ { whole = 1 }
$0 ~ inner { part = 1 }
/^#include "robots\.h"/ { robots = 1 }
!/^\/\// && /tac_[a-z_]+\(/ { calls = 1 }
END { finish() }
