# SPDX-License-Identifier: MIT
"""bridge.py - a firmware at the other end of a line of some kind: bridge.py tty|tcp|unix FIRMWARE COMMAND... with {} for the endpoint.

Says of a tty how the command has left it. Exit code: that of the command."""
import os
import select
import socket
import subprocess
import sys
import tempfile
import termios
import threading

kind, firmware, *command = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
if kind == "tty":
    near, far = os.openpty()
    name = f"tty:{os.ttyname(far)},921600"
else:
    listener = socket.socket(socket.AF_INET if kind == "tcp" else socket.AF_UNIX)
    listener.bind(("127.0.0.1", 0) if kind == "tcp" else os.path.join(folder.name, "line"))
    listener.listen(1)
    name = f"tcp:127.0.0.1:{listener.getsockname()[1]}" if kind == "tcp" else f"unix:{listener.getsockname()}"
process = subprocess.Popen([firmware], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def serve():
    line = near if kind == "tty" else listener.accept()[0].detach()
    ends = {line: process.stdin.fileno(), process.stdout.fileno(): line}
    while True:
        for end in select.select(list(ends), [], [])[0]:
            data = os.read(end, 4096)
            if not data:
                return
            os.write(ends[end], data)


threading.Thread(target=serve, daemon=True).start()
try:
    done = subprocess.run([word.replace("{}", name) for word in command], timeout=60)
finally:
    process.kill()
if kind == "tty":
    iflag, oflag, cflag, lflag, _, speed, _ = termios.tcgetattr(far)
    raw = not (iflag & (termios.ICRNL | termios.IXON) or oflag & termios.OPOST or lflag & (termios.ECHO | termios.ICANON | termios.ISIG))
    print(f"tty: {'raw' if raw and cflag & termios.CS8 else 'not raw'}, {921600 if speed == termios.B921600 else speed}")
sys.exit(done.returncode)
