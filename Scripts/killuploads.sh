#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills uploads with SIGKILL at random moments, continues them, and compares what arrives; prints a table.
#
#     Scripts/killuploads.sh [N] [--ours] [--size MB] [--seed NUMBER]
#
# N uploads (10 by default) to each of tuspyserver, tussi and moto's S3, each of them killed up to four times. Then
# tus-py-client and boto3 send the same file without being killed, for their time and bytes; --ours omits them. Fails if an
# upload is not complete, has wrong bytes, or was sent again beyond the pieces that were in flight.
#
# The servers come from PyPI into .build/interop/venv. CUMULUS_COMMAND is the command to test; otherwise it is built here.
set -euo pipefail
cd "$(dirname "$0")/.."

command=${CUMULUS_COMMAND:-}
if [ -z "$command" ]; then
    swift build --product cumulus >&2
    command="$(swift build --show-bin-path)/cumulus"
fi
python=${CUMULUS_UPLOAD_PYTHON:-}
if [ -z "$python" ]; then
    home="$PWD/.build/interop"
    mkdir -p "$home"
    Interop/Support/install.sh "$home"
    python="$home/venv/bin/python"
fi
mkdir -p .build/killtest
exec "$python" Scripts/killtest/uploads.py --command "$command" --home .build/killtest "$@"
