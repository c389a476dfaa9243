# SPDX-License-Identifier: MIT
"""room - flash and RAM of a model: the sizes of the kernel's structs with its capacities, which the C compiler knows."""
import os
import shutil
import subprocess
import tempfile

PROGRAM = """#include "tactus/tactus.h"
#include <stdio.h>
int main(void)
{
    printf("%zu %zu %zu %zu\\n", sizeof(tac_model), sizeof(tac_state), sizeof(tac_input), sizeof(tac_work));
    return 0;
}
"""


def sizes(capacities, root, bits):
    """Of tac_model, tac_state, tac_input, tac_work, in bytes; None if there is no compiler that tells."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    knobs = [f"-D{name}={value}" for name, value in sorted(capacities.items())]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "room.c"), os.path.join(folder, "room")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        include = f"-I{os.path.join(root, 'include')}"
        command = [compiler, include, f"-DTAC_REAL_BITS={bits}", *knobs, source, "-o", program]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        return [int(word) for word in subprocess.run([program], capture_output=True, check=True).stdout.split()]


def thousands(count):
    """Bytes in kB, rounded up."""
    return f"{-(-count // 1000)} kB"


def room_lines(capacities, root):
    for bits, name in ((32, "float"), (64, "double")):
        known = sizes(capacities, root, bits)
        if known is None:
            yield f"{name}: flash and RAM are not known, since there is no C compiler (CC)"
            continue
        model, *rest = known
        state, inputs, work = map(thousands, rest)
        yield (
            f"{name}: flash {thousands(model)} for the model; "
            f"RAM {thousands(sum(rest))}: state {state}, input {inputs}, work {work}"
        )
