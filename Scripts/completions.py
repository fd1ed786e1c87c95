#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types into bash, zsh and fish on a terminal of their own, and looks at what the completions make of it.

    Scripts/completions.py [PATH-OF-CUMULUS]

A shell that is not installed is skipped, and said so; with CUMULUS_ALL_SHELLS=1 that is an error.
"""
import os, pty, select, shutil, signal, sys, tempfile, time

program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/cumulus")
# What is typed before Tab, and what must be on the line then.
cases = [
    ("cumulus downl", "cumulus download "),
    ("cumulus pat", "cumulus patch "),
    ("cumulus --sty", "cumulus --style "),
    ("cumulus --style=da", "cumulus --style=dark "),
    ("cumulus --auth-type di", "cumulus --auth-type digest "),
    ("cumulus --cert clie", "cumulus --cert client.pem "),
    ("cumulus upload repo", "cumulus upload report.pdf "),
    ("cumulus services import repo", "cumulus services import report.pdf "),
    ("cumulus -f :3000/ photo@ca", "cumulus -f :3000/ photo@cat.png "),
    ("cumulus put :3000/ @repo", "cumulus put :3000/ @report.pdf "),
    ("cumulus :3000/ Cache-Con", "cumulus :3000/ Cache-Control:"),
    ("cumulus :3000/ Accept:text/h", "cumulus :3000/ Accept:text/html "),
    ("cumulus used.exam", "cumulus used.example:8080 "),
    ("cumulus help exit", "cumulus help exit-codes "),
    ("cumulus download --check", "cumulus download --checksum "),
    ("cumulus --profile wo", "cumulus --profile work "),
]


def shell_commands(shell, home):
    script = f"{home}/completion.{shell}"
    with open(script, "w") as file:
        file.write(os.popen(f"'{program}' completions {shell}").read())
    if shell == "bash":
        return ["bash", "--norc", "--noprofile", "-i"], [f"PS1='READY> '; bind 'set enable-bracketed-paste off'; source {script}"]
    if shell == "zsh":
        return ["zsh", "-f", "-i"], [
            f"PS1='READY> '; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u; source {script}"
        ]
    return ["fish", "--no-config", "--private"], [f"function fish_prompt; printf 'READY> '; end; source {script}"]


def check(shell, home, environment):
    """Types each case on a terminal of its own; gives what went wrong."""
    wrong = []
    arguments, starts = shell_commands(shell, home)
    for typed, wanted in cases:
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(f"{home}/work")
            os.execvpe(arguments[0], arguments, environment)
        seen = b""

        def read(until, seconds):
            nonlocal seen
            end = time.monotonic() + seconds
            while time.monotonic() < end and until not in plain(seen):
                if select.select([terminal], [], [], 0.05)[0]:
                    try:
                        seen += os.read(terminal, 65536)
                    except OSError:
                        break
            return until in plain(seen)

        read(b"\n" if shell == "fish" else b" ", 2)
        for start in starts:
            os.write(terminal, start.encode() + b"\r")
        read(b"READY> ", 5)
        time.sleep(0.3)
        read(b"\0", 0.2)
        seen = b""
        os.write(terminal, typed.encode() + b"\t")
        ok = read(wanted.encode(), 5)
        # A blank that is no part of the candidate shows that the word is finished.
        if not ok:
            wrong.append((typed, wanted, plain(seen)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    return wrong


def plain(seen):
    """What is on the line, without colors and cursor movements."""
    import re

    text = re.sub(rb"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])", b"", seen)
    return re.sub(rb".\x08", b"", text)


def fish_answers(home, environment):
    """fish tells its candidates itself: its line editor needs a terminal that answers questions."""
    import subprocess

    wrong = []
    for typed, wanted in cases:
        script = f"source {home}/completion.fish; complete -C '{typed}'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", script], capture_output=True, text=True, env=environment, cwd=f"{home}/work"
        )
        words = [line.split("\t")[0] for line in done.stdout.splitlines()]
        if wanted.rstrip(" ").rsplit(" ", 1)[1] not in words:
            wrong.append((typed, wanted, done.stdout + done.stderr))
    return wrong


def main():
    failed = passed = 0
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(f"{home}/work")
        os.makedirs(f"{home}/config/cumulus")
        os.makedirs(f"{home}/bin")
        os.symlink(program, f"{home}/bin/cumulus")
        for name in ["client.pem", "report.pdf", "cat.png"]:
            open(f"{home}/work/{name}", "w").close()
        with open(f"{home}/config/cumulus/config.toml", "w") as file:
            file.write('[profiles.work]\ntimeout = 3\n[hosts."used.example:8080"]\ntimeout = 3\n')
        environment = {
            "HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "TERM": "xterm", "LANG": "C.UTF-8",
            "PATH": f"{home}/bin:{os.environ['PATH']}", "COLUMNS": "200",
        }
        for shell in ["bash", "zsh", "fish"]:
            if not shutil.which(shell):
                print(f"{shell}: not installed, skipped")
                failed += os.environ.get("CUMULUS_ALL_SHELLS") == "1"
                continue
            if shell == "fish":
                shell_commands(shell, home)
                wrong = fish_answers(home, environment)
            else:
                wrong = check(shell, home, environment)
            passed += len(cases) - len(wrong)
            failed += len(wrong)
            print(f"{shell}: {len(cases) - len(wrong)} of {len(cases)}")
            for typed, wanted, seen in wrong:
                print(f"  {typed!r} gave {seen!r}, not {wanted!r}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
