#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds a start page and a search to the documentation that DocC has built.

Reads DocC's JSON below SITE/data, README.md and the guide's page of questions, and writes into SITE:

    index.html        a start page: the search, the commands that README.md names, the first pages, the modules
    search.html       the search; it works from any folder of any host, without a network
    search-data.js    what is searched: each article with its sections, each public symbol with its abstract
    404.html          for hosts that show it where nothing is found
    theme-settings.json, ranking.js, search.js, site.css

and puts a header with the way to the search on each of DocC's pages. Running it again replaces what it wrote.

Usage: Scripts/site-search.py [SITE]    SITE is .build/docs if it isn't named
"""

import collections
import html
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ROOT / "Scripts" / "site"
QUESTIONS = "documentation/cumuluscore/faq"
# The pages that a newcomer reads first, in this order.
FIRST_PAGES = ["installing", "gettingstarted", "faq", "lifeofarequest", "authorizing", "errors", "testing", "commandline"]
# Pages on the command, which repeat the words of most others.
COMMAND_PAGES = ["commandline", "environment"]
# What the language asks of a type: nobody looks for it.
OF_THE_LANGUAGE = {"customMirror", "hash(into:)", "hashValue", "encode(to:)", "init(from:)", "==(_:_:)", "!=(_:_:)", "<(_:_:)", "debugDescription"}
HEADER = re.compile(r"<!-- site -->.*?<!-- /site -->", re.DOTALL)


def inline(content, references, mark=""):
    """The text of a list of DocC's inline elements, with the mark around code."""
    parts = []
    for element in content or []:
        kind = element.get("type")
        if kind == "reference":
            parts.append(element.get("title") or references.get(element["identifier"], {}).get("title", ""))
        elif kind == "codeVoice":
            parts.append(f"{mark}{element['code']}{mark}")
        else:
            parts.append(element.get("text", "") or inline(element.get("inlineContent"), references, mark))
    return "".join(parts)


def blocks(content, references, mark=""):
    """Yields the text of DocC's block elements, with whether it is code; in text, with the mark around code."""
    for element in content or []:
        kind = element.get("type")
        if kind == "codeListing":
            yield "\n".join(element["code"]), True
        elif kind == "paragraph":
            yield inline(element["inlineContent"], references, mark), False
        elif kind == "table":
            for row in element["rows"]:
                yield " | ".join(" ".join(text for text, _ in blocks(cell, references)) for cell in row) + ".", False
        elif kind in ("unorderedList", "orderedList"):
            for item in element["items"]:
                yield from blocks(item["content"], references)
        elif "content" in element:
            yield from blocks(element["content"], references)


def sections(document):
    """The sections of an article: heading, anchor, text, code."""
    found, references = [["", "", [], []]], document.get("references", {})
    for section in document.get("primaryContentSections", []):
        if section["kind"] != "content":
            continue
        for element in section["content"]:
            if element.get("type") == "heading":
                if element["text"] != "Overview":
                    found.append([element["text"], element["anchor"], [], []])
                continue
            for text, is_code in blocks([element], references):
                found[-1][3 if is_code else 2].append(text)
    return [[heading, anchor, " ".join(text), "\n".join(code)] for heading, anchor, text, code in found]


def asked(document):
    """The table of questions: each with its short answer and the address of the page that answers it."""
    rows, references = [], document.get("references", {})
    for section in document.get("primaryContentSections", []):
        for element in section.get("content", []):
            if element.get("type") != "table":
                continue
            for row in element["rows"][1:]:
                question, answer = (" ".join(text for text, _ in blocks(cell, references, "`")) for cell in row[:2])
                for link in re.findall(r'"identifier": "([^"]+)"', json.dumps(row[-1])):
                    if link in references:
                        rows.append((question, answer, references[link]["url"].lstrip("/")))
    return rows


def symbol_name(document):
    """The name with the types around it, such as `Resource.timeout`."""
    names = document["identifier"]["url"].partition("/documentation/")[2].split("/")[1:]
    around = [re.sub(r"-[\w.]+$", "", name) for name in names[:-1]]
    return ".".join([*around, document["metadata"]["title"]])


def kind_of(address, document):
    """What the search says of an article, and how it weighs it: `recipe`, `coming`, `decision`, `questions`, `command`, `article`."""
    name = address.rsplit("/", 1)[-1]
    for start, kind in (("recipe", "recipe"), ("comingfrom", "coming")):
        if name.startswith(start):
            return kind
    if name in COMMAND_PAGES:
        return "command"
    if address == QUESTIONS:
        return "questions"
    parents = json.dumps(document.get("hierarchy", {})).lower()
    return "decision" if name == "decisions" or "/decisions\"" in parents else "article"


def read(site):
    """The articles and symbols of the site, sorted by address."""
    articles, symbols, mentions = [], [], collections.Counter()
    for path in sorted((site / "data").rglob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        metadata, address = document["metadata"], path.relative_to(site / "data").with_suffix("").as_posix()
        # DocC's own lists of inherited members, and the lists of modules.
        if metadata["title"].endswith(" Implementations") or address == "documentation":
            continue
        abstract = inline(document.get("abstract"), document.get("references", {}))
        if document["kind"] == "article":
            articles.append([address, metadata["title"], kind_of(address, document), abstract, [], sections(document)])
            mentions.update(reference["url"].lstrip("/") for reference in document["references"].values() if "url" in reference)
        elif metadata.get("role") == "symbol" and not abstract.startswith("Inherited from ") and metadata["title"] not in OF_THE_LANGUAGE:
            module = document["identifier"]["url"].partition("/documentation/")[2].partition("/")[0]
            symbols.append([address, symbol_name(document), metadata.get("symbolKind", ""), abstract, module])
    # How many articles name a symbol, or the type that it belongs to: of two with the same name, that one is meant.
    return articles, [[*symbol, mentions[symbol[0]] + mentions[symbol[0].rpartition("/")[0]]] for symbol in symbols]


def shell_commands(readme):
    """The commands of README.md's section "Try it", each with its comment."""
    section = readme.partition("\n## Try it\n")[2].partition("\n## ")[0]
    lines = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1].splitlines()
    return [[part.strip() for part in line.partition("#")[::2]] for line in lines if line.strip()]


def module_rows(readme, site):
    """The libraries of README.md's table of modules: name, for whom, what it contains."""
    section = readme.partition("\n## Modules\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    # The two programs have no pages of their own.
    return [row for row in rows if row[0][0].isupper() and (site / "documentation" / row[0].lower()).is_dir()]


def markup(text):
    """HTML of a text with code in backquotes."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def filled(name, values):
    text = (PARTS / name).read_text("utf-8")
    for key, value in values.items():
        text = text.replace("{{" + key + "}}", value)
    if "{{" in text:
        sys.exit(f"Scripts/site/{name}: nothing fills {re.search(r'{{.*?}}', text)[0]}")
    return text


def start_page(readme, site, articles, questions):
    by_name = {article[0].rsplit("/", 1)[-1]: article for article in articles}
    commands = "\n".join(f"<span class='remark'># {html.escape(remark)}</span>\n{html.escape(line)}" for line, remark in shell_commands(readme))
    pages = "\n".join(
        f'<li><a href="{html.escape(by_name[name][0])}">{html.escape(by_name[name][1])}</a> {markup(by_name[name][3])}</li>'
        for name in FIRST_PAGES)
    asked_first = "\n".join(f'<li><a href="{html.escape(address)}">{markup(question)}</a></li>' for question, _, address in questions[:12])
    modules = "\n".join(
        f'<li><a href="documentation/{name.lower()}"><code>{name}</code></a> for {markup(purpose)}: {markup(contains)}</li>'
        for name, purpose, contains in module_rows(readme, site))
    return filled("start.html", {"commands": commands, "pages": pages, "questions": asked_first, "modules": modules})


def put_headers(site, base):
    """Puts our header on each of DocC's pages, and returns their number."""
    header = filled("header.html", {"base": base}).strip()
    pages = sorted((site / "documentation").rglob("index.html"))
    for page in pages:
        text = HEADER.sub("", page.read_text("utf-8"))
        page.write_text(text.replace('<div id="app">', header + '<div id="app">', 1), "utf-8")
    return len(pages)


def main():
    site = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build" / "docs"
    articles, symbols = read(site)
    questions = asked(json.loads((site / "data" / f"{QUESTIONS}.json").read_text("utf-8")))
    if not questions or not articles or not symbols:
        sys.exit(f"{site}: no questions, articles or symbols")
    by_address = {article[0]: article for article in articles}
    for question, answer, address in questions:
        if address in by_address:
            by_address[address][4].append([question, answer])

    data = json.dumps({"articles": articles, "symbols": symbols}, ensure_ascii=False, separators=(",", ":"))
    (site / "search-data.js").write_text(f"globalThis.searchData = {data};\n", "utf-8")
    for name in ("ranking.js", "search.js", "site.css"):
        (site / name).write_text((PARTS / name).read_text("utf-8"), "utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    (site / "index.html").write_text(start_page(readme, site, articles, questions), "utf-8")
    examples = "\n".join(f'<li><a href="{html.escape(address)}">{markup(question)}</a></li>' for question, _, address in questions)
    (site / "search.html").write_text(filled("search.html", {"questions": examples}), "utf-8")
    base = re.search(r'baseUrl = "([^"]*)"', (site / "documentation" / "index.html").read_text("utf-8"))[1]
    (site / "404.html").write_text(filled("404.html", {"base": base}), "utf-8")
    # DocC's pages ask for it, and the browser's console would complain.
    (site / "theme-settings.json").write_text('{"meta": {}, "theme": {}, "features": {}}\n', "utf-8")
    pages = put_headers(site, base)
    size = (site / "search-data.js").stat().st_size
    print(f"search: {len(articles)} articles and {len(symbols)} symbols, {size // 1000} KB; header on {pages} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
