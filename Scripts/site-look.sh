#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks at the built documentation with Chromium, without a window, at a phone's width and a screen's, light and dark.
# Fails if a page lacks its title or its code, is wider than the window, or complains in the console; if the search does not
# show what it should first; or if the keyboard does not work there. The pictures go to .build/site-look, for a person.
#   Scripts/docs.sh && Scripts/site-look.sh [SITE]
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium > /dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get -q update
    DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends chromium fonts-dejavu-core
fi
python3 Scripts/site/look.py "${1:-.build/docs}" .build/site-look
