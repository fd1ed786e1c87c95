#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the four pictures of the README and the guide, as SVG for light and dark backgrounds, at most 90 columns wide.

| picture | source |
|---|---|
| settings-tree.svg | the slice `inherit` of Examples/Snippets/SettingsTree.swift |
| stages.svg | the table "All stages" of LifeOfARequest.md |
| kill-test.svg | the table of the kill test in README.md |
| download.svg | Scripts/pictures.txt, the recorded output of the command |

Usage: Scripts/pictures.py                    writes the pictures
       Scripts/pictures.py --check            writes nothing, prints what differs, and exits 1 if anything does
       Scripts/pictures.py --record PROGRAM   records the output of PROGRAM, the command, against a server on this machine
"""

import html
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "Sources/CumulusCore/CumulusCore.docc"
FOLDER = ROOT / "docs/pictures"
CATALOG = CORE / "Pictures"  # DocC needs its own copies
TRANSCRIPT = ROOT / "Scripts/pictures.txt"
COLUMNS, CHARACTER, LINE = 88, 7.83, 20
WIDTH = 740

STYLE = """
svg { --back: #ffffff; --text: #1f2328; --muted: #59636e; --edge: #d1d9e0; --fill: #f6f8fa; --blue: #0969da;
      --green: #1a7f37; --red: #cf222e; --cyan: #1b7c83; }
@media (prefers-color-scheme: dark) {
  svg { --back: #0d1117; --text: #e6edf3; --muted: #9198a1; --edge: #3d444d; --fill: #151b23; --blue: #4493f8;
        --green: #3fb950; --red: #f85149; --cyan: #39c5cf; }
}
.card { fill: var(--back); stroke: var(--edge); } .box { fill: var(--fill); stroke: var(--edge); }
.own { stroke: var(--blue); stroke-width: 1.5; } .line { fill: none; stroke: var(--muted); } .good { fill: var(--green); }
.bad { fill: var(--red); } .blue { fill: var(--blue); } .cyan { fill: var(--cyan); } .muted { fill: var(--muted); }
text { fill: var(--text); font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.title { font-weight: bold; } .end { text-anchor: end; }
"""


class Drawing:
    def __init__(self, title):
        self.title, self.parts = title, []

    def text(self, x, y, words, kind=""):
        shown = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{shown}>{html.escape(words, quote=False)}</text>')

    def box(self, x, y, width, height, kind="box"):
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" class="{kind}"/>')

    def line(self, path, kind="line", dashes=""):
        shown = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<path d="{path}" class="{kind}"{shown}/>')

    def svg(self, height):
        name = html.escape(self.title, quote=False)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img">'
        card = f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="8" class="card"/>'
        return "\n".join([head, f"<title>{name}</title>", f"<style>{STYLE}</style>", card, *self.parts, "</svg>"]) + "\n"


def found(pattern, text, what):
    match = re.search(pattern, text, re.DOTALL)
    if not match:
        sys.exit(f"pictures: {what} has changed: no {pattern}")
    return match


def settings_tree():
    text = (ROOT / "Examples/Snippets/SettingsTree.swift").read_text("utf-8")
    code = found(r"// snippet\.inherit\n(.*?)// snippet\.end", text, "SettingsTree.swift")[1]
    root = found(r'Resource\("(https://[^"]+)"\).*?timeout = \.seconds\((\d+)\)', code, "the root")
    place = found(r'site\["posts/(\w+)"\]\.setRules \{ \$0\.timeout = \.seconds\((\d+)\) \}', code, "the rule")
    copy = found(r"posts\.with \{ \$0\.timeout = \.seconds\((\d+)\) \}", code, "the copy")[1]
    drawing = Drawing(f"A tree of settings: {place[1]} of posts has {place[2]} s, {place[1]} of the copy has {copy} s")
    drawing.text(20, 30, "timeout: the nearest wins", "title")

    def node(x, y, name, own, value):
        drawing.box(x, y, 310, 46, "box own" if own else "box")
        drawing.text(x + 12, y + 19, name)
        drawing.text(x + 12, y + 37, own or "inherits", "blue" if own else "muted")
        drawing.text(x + 298, y + 29, f"{value} s", "title end")

    node(20, 48, root[1], f"setRules {{ timeout = {root[2]} s }}", root[2])
    node(40, 124, '["posts"]', "", root[2])
    node(60, 200, f'["{place[1]}"]', f"setRules {{ timeout = {place[2]} s }}", place[2])
    node(390, 124, "patient, a copy of posts", f"with {{ timeout = {copy} s }}", copy)
    node(410, 200, f'patient["{place[1]}"]', "", copy)
    for path in ["M30 94 V147 H40", "M50 170 V223 H60", "M400 170 V223 H410"]:
        drawing.line(path)
    drawing.line("M350 147 H390", dashes="4 3")
    drawing.text(20, 276, f"A copy's setting beats every rule, even the {place[2]} s of {place[1]}. posts itself is unchanged.", "muted")
    return drawing.svg(296)


def cells(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


def stages():
    text = (CORE / "LifeOfARequest.md").read_text("utf-8")
    table = found(r"## All stages\n.*?\| stage \|.*?\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", text, "LifeOfARequest.md")[1]
    rows = [cells(row) for row in table.splitlines()]
    plain = [[re.sub(r"`+(?:\w+/)?([^`]*)`+", r"\1", cell) for cell in row] for row in rows]
    names = [row[0] for row in plain]
    first = next(index for index, name in enumerate(names) if name.startswith("Interception"))
    last = next(index for index, name in enumerate(names) if name.startswith("Recovery"))
    drawing = Drawing("The stages of a call, the hook of each, and the stage that an error names")
    drawing.text(52, 30, "stage", "title")
    drawing.text(322, 30, "hook", "title")
    drawing.text(720, 30, "error.stage", "title end")
    for index, (name, _, hooks, stage) in enumerate(plain):
        y = 46 + index * 31
        drawing.box(40, y, 264, 25)
        drawing.text(52, y + 17, name)
        drawing.text(322, y + 17, hooks.split(", ")[0] + (", ..." if ", " in hooks else ""), "blue")
        drawing.text(720, y + 17, stage.split(", ")[-1], "muted end")
        if index + 1 < len(plain):
            drawing.line(f"M172 {y + 25} v6")
    top, bottom = 46 + first * 31 + 12, 46 + last * 31 + 12
    drawing.line(f"M40 {bottom} H22 V{top} H40 m-5 -4 l5 4 l-5 4")
    end = 46 + len(plain) * 31
    drawing.text(20, end + 16, "One pass of the loop is an attempt: a redirect, a challenge or a retry begins another.", "muted")
    return drawing.svg(end + 34)


def kill_test():
    text = (ROOT / "README.md").read_text("utf-8")
    table = found(r"\| program \| rounds \| kills \| correct \| corrupt \|\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", text, "README.md")[1]
    drawing = Drawing("Wrong files after killed and resumed downloads")
    drawing.text(20, 30, "Wrong files after downloads that were killed and resumed", "title")
    rows = [cells(row) for row in table.splitlines()]
    for index, (name, rounds, _, _, corrupt) in enumerate(rows):
        y = 46 + index * 30
        share = int(corrupt) / int(rounds)
        drawing.text(20, y + 17, name.replace("`", ""))
        drawing.box(320, y + 3, 2 + 270 * share, 18, "bad" if int(corrupt) else "good")
        drawing.text(720, y + 17, f"{corrupt} of {rounds}", "title end" if int(corrupt) else "end")
    return drawing.svg(46 + len(rows) * 30 + 14)


COLORS = {"0": "", "32": "good", "36": "cyan", "90": "muted"}


def download():
    drawing = Drawing("The command downloads a file, is interrupted, and resumes")
    lines = TRANSCRIPT.read_text("utf-8").splitlines()
    for index, line in enumerate(lines):
        spans, kind = [], "title" if line.startswith("$") else ""
        for piece in re.split(r"(␛\[\d+m)", line):
            if piece.startswith("␛["):
                kind = COLORS[piece[2:-1]]
            elif piece:
                shown = f' class="{kind}"' if kind else ""
                text = html.escape(piece, quote=False).replace(" ", "\u00a0")  # not every program preserves spaces
                spans.append(f"<tspan{shown}>{text}</tspan>")
        columns = len(re.sub(r"␛\[\d+m", "", line))
        if columns > 90:
            sys.exit(f"pictures: a line of {TRANSCRIPT.name} has {columns} columns")
        length = f' textLength="{columns * CHARACTER:.0f}" lengthAdjust="spacingAndGlyphs"' if columns else ""
        drawing.parts.append(f'<text x="20" y="{34 + index * LINE}"{length}>{"".join(spans)}</text>')
    return drawing.svg(34 + len(lines) * LINE)


def record(program):
    import recording_terminal

    shown = recording_terminal.interrupted_download(program, COLUMNS)
    TRANSCRIPT.write_text(shown.replace("\x1b", "␛"), "utf-8")


def main():
    if "--record" in sys.argv:
        record(os.path.realpath(sys.argv[sys.argv.index("--record") + 1]))
    pictures = {"settings-tree": settings_tree, "stages": stages, "kill-test": kill_test, "download": download}
    stale = []
    wanted = {FOLDER / f"{name}.svg": draw() for name, draw in pictures.items()}
    wanted |= {CATALOG / f"{name}.svg": wanted[FOLDER / f"{name}.svg"] for name in ["settings-tree", "stages"]}
    for path, text in wanted.items():
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    if "--check" in sys.argv and stale:
        sys.exit("\n".join(f"{path.relative_to(ROOT)} is out of date: run Scripts/pictures.py" for path in stale))
    print(f"pictures: {len(pictures)}, {len(stale)} written")


if __name__ == "__main__":
    main()
