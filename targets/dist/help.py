#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""help.py - tactus.1, a manual page, and completion for bash, both from what `tactus --help` says.

usage: help.py TOOL FOLDER"""
import os
import re
import subprocess
import sys


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def roff(text):
    """Lines as they are printed."""
    lines = text.rstrip().replace("\\", "\\e").replace("-", "\\-").splitlines()
    return ".nf\n" + "\n".join("\\&" + line for line in lines) + "\n.fi\n"


def main(tool, folder):
    overview = said(tool, "--help")
    commands = {name: said(tool, name, "--help") for name in re.findall(r"^  (\w+) ", overview, re.M)}
    page = f'.TH TACTUS 1 "" "{said(tool, "--version").strip()}"\n'
    page += ".SH NAME\ntactus \\- rigid bodies in contact: runs, compares and examines models\n"
    page += ".SH SYNOPSIS\n" + roff(overview.split("\n\n", 1)[0].replace("usage: ", "")) + ".SH COMMANDS\n" + roff(overview.split("\n\n", 1)[1])
    page += "".join(f".SH {name.upper()}\n{roff(text)}" for name, text in commands.items())
    cases = "".join(
        f"    {name}) words='{' '.join(sorted(set(re.findall(r'--[a-z][a-z0-9-]*', text + ' --help'))))}' ;;\n"
        for name, text in commands.items()
    )
    completion = f"""# bash completion of tactus: the options of its help; files elsewhere.
_tactus() {{
    local words
    case ${{COMP_WORDS[1]}} in
{cases}    esac
    if [ "$COMP_CWORD" = 1 ]; then words='{" ".join(commands)} --help --version'; fi
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _tactus tactus
"""
    for name, text in (("tactus.1", page), ("completion", completion)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
