#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""channel.t - does the byte channel of each board carry every byte?   prove tests/port/channel.t [:: BOARD...]
  given   echo.c beside this file, or the program that ECHO names; the boards named, else all
  makes   TAP: a burst of more bytes than the port's ring holds, then short messages in lockstep
  bound   SECONDS a board
  never   measures time, needs anything built before"""
import os
import pathlib
import shlex
import socket
import subprocess
import sys
import tempfile

SECONDS = 60
BURST = 3000
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ECHO", "tests/port/echo")


def board_make(board, *arguments):
    """Output of make for the board, run at the top without the flags of a make around us."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "-s", "-f", "targets/board.mk", f"BOARD={board}", "PRECISION=float", "OPT=-O2", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def start(board, path):
    """Boot the program on the board, its UART on the socket; the process and the connection."""
    board_make(board, f"PROGRAM={PROGRAM}", f"SOURCES={PROGRAM}.c")
    qemu = board_make(board, "print-BOARD_QEMU")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(1)
        server.settimeout(SECONDS)
        process = subprocess.Popen(shlex.split(qemu) + ["-kernel", f"build/{board}/float/{PROGRAM}.elf", "-chardev",
                                                        f"socket,id=uart,path={path}", "-serial", "chardev:uart"],
                                   cwd=ROOT, stderr=subprocess.PIPE)
        connection, _ = server.accept()
    # what comes before port_init() is lost: a 16550 that turns its FIFO on forgets the byte it holds
    while process.stderr.readline().strip() not in (b"listening", b""):
        pass
    connection.settimeout(SECONDS)
    return process, connection


def receive(connection, count):
    """Exactly `count` bytes, or fewer if the other side ends."""
    got = b""
    while len(got) < count:
        more = connection.recv(count - len(got))
        if not more:
            break
        got += more
    return got


def exchange(connection, sent):
    """Send, and tell whether every byte came back plus one."""
    connection.sendall(sent)
    return receive(connection, len(sent)) == bytes(byte + 1 for byte in sent)


def board_tests(board):
    """(name, passed) of each test."""
    with tempfile.TemporaryDirectory() as folder:
        process, connection = start(board, os.path.join(folder, "uart"))
        try:
            burst = bytes(1 + i % 254 for i in range(BURST))
            yield f"{board}: a burst of {BURST} bytes comes back whole", exchange(connection, burst)
            messages = [bytes(1 + (i * 7 + k) % 254 for k in range(1 + i)) for i in range(30)]
            yield f"{board}: messages come back in lockstep", all(exchange(connection, m) for m in messages)
            connection.sendall(b"\0")
            yield f"{board}: it ends when told", process.wait(timeout=SECONDS) == 0
        finally:
            connection.close()
            process.kill()
            process.wait()


def main():
    boards = sys.argv[1:] or sorted(path.parent.name for path in ROOT.glob("targets/*/target.mk"))
    count = 0
    for board in boards:
        for name, passed in board_tests(board):
            count += 1
            print(f"{'ok' if passed else 'not ok'} {count} - {name}", flush=True)
    print(f"1..{count}")


main()
