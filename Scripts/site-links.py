#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the links of the built documentation, and of the Markdown files that are read without building it.

- Each reference in DocC's pages has a page, and the heading that it names; so has each link of the start page and the search.
- Each page of the search is there, and each script, style and picture that a page loads.
- Each relative link in a Markdown file leads to a file, and to a heading of it; each `<doc:Page>` to a page of the guide.
- No dead ends: each page can be reached from the start page, and each article names a next one at its end.

Links to other hosts are counted, not followed: the check needs no network.

Usage: Scripts/site-links.py [SITE]    SITE is .build/docs if it isn't named

Prints one line for each finding, and exits 1 if there are any.
"""

import html.parser
import json
import os
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUR_PAGES = ["index.html", "search.html", "404.html"]
MARKDOWN_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


class Page(html.parser.HTMLParser):
    """The addresses that a page of HTML has, and the names that links can lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names.add(values.get("id"))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        for name in ("src", "action") if tag != "link" else ("href",):
            if values.get(name):
                self.loads.append(values[name])


def walk(node):
    """Yields all objects in JSON."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


class Site:
    def __init__(self, folder):
        self.folder, self.findings = folder, []
        self.documents = {path.relative_to(folder / "data").with_suffix("").as_posix(): json.loads(path.read_text("utf-8"))
                          for path in sorted((folder / "data").rglob("*.json"))}
        self.base = re.search(r'baseUrl = "([^"]*)"', (folder / "documentation" / "index.html").read_text("utf-8"))[1]
        self.leads, self.checked, self.outside = {}, 0, 0

    def add(self, place, text):
        self.findings.append(f"{place}: {text}")

    def anchors(self, address):
        document = self.documents[address]
        found = {node["anchor"] for node in walk(document.get("primaryContentSections", [])) if "anchor" in node}
        found |= {section.get("anchor") for name in ("topicSections", "seeAlsoSections") for section in document.get(name, [])}
        return found

    def follow(self, place, link):
        """Checks an address inside the site, and notes where it leads."""
        self.checked += 1
        path, _, fragment = urllib.parse.unquote(link).partition("#")
        address = path.split("?")[0].strip("/")
        if address in self.documents:
            if fragment and fragment not in self.anchors(address):
                self.add(place, f"{link}: the page has no such heading")
            self.leads.setdefault(place, set()).add(address)
        elif address in ("", *OUR_PAGES):
            self.leads.setdefault(place, set()).add(address or "index.html")
        elif not (self.folder / address).is_file():
            self.add(place, f"{link} leads nowhere")

    def check_documents(self):
        for address, document in self.documents.items():
            references = document.get("references", {})
            for reference in references.values():
                self.check_reference(address, reference)
            for node in walk({key: value for key, value in document.items() if key != "references"}):
                if node.get("type") == "reference" and node.get("isActive") and node["identifier"] not in references:
                    self.add(address, f"{node['identifier']} is not among the page's references")
                for child in node.get("identifiers") or []:
                    if child not in references:
                        self.add(address, f"{child} is not among the page's references")

    def check_reference(self, address, reference):
        kind = reference["type"]
        if kind == "link":
            if urllib.parse.urlsplit(reference["url"]).scheme in ("http", "https"):
                self.outside += 1
            else:
                self.add(address, f"{reference['url']}: a link that works in the repository alone")
        elif kind in ("image", "video", "file"):
            for variant in reference.get("variants", []):
                self.follow(address, variant["url"])
        elif "url" in reference:
            self.follow(address, reference["url"])

    def check_pages(self):
        for name in OUR_PAGES:
            page = Page((self.folder / name).read_text("utf-8"))
            for link in page.links + page.loads:
                # All of them are in the site's root, so relative addresses begin there.
                self.follow(name, link.removeprefix(self.base) if name == "404.html" else link.removeprefix("./"))
        # DocC's pages load the same files, and have our header; what they show is in the documents.
        loaded = set()
        for address in self.documents:
            path = self.folder / address / "index.html"
            if not path.is_file():
                self.add(address, "the page has no HTML")
                continue
            page = Page(path.read_text("utf-8"))
            if f"{self.base}search.html" not in page.links:
                self.add(address, "the page has no way to the search")
            loaded.update(page.links + page.loads)
        for link in sorted(loaded):
            self.follow("the header of DocC's pages", link.removeprefix(self.base))

    def check_search(self):
        data = json.loads((self.folder / "search-data.js").read_text("utf-8").partition("=")[2].strip().rstrip(";"))
        for address, _, _, _, _, sections in data["articles"]:
            for section in sections:
                self.follow("search-data.js", address + (f"#{section[1]}" if section[1] else ""))
        for symbol in data["symbols"]:
            self.follow("search-data.js", symbol[0])

    def check_ends(self):
        """Each page can be reached by links alone, without the search and DocC's sidebar, and no article is an end."""
        reached, waiting = {"index.html"}, ["index.html"]
        while waiting:
            for address in sorted(self.leads.get(waiting.pop(), set()) - reached):
                reached.add(address)
                waiting.append(address)
        for address in sorted(set(self.documents) - reached):
            self.add(address, "no link leads to this page from the start page")
        for address, document in self.documents.items():
            if document["kind"] != "article" or document["metadata"]["title"].endswith(" Implementations") or address == "documentation":
                continue
            own = [section for section in document.get("seeAlsoSections", []) if not section.get("generated")]
            if not own and not document.get("topicSections"):
                self.add(address, 'the article names no next page: it needs a section "See Also"')


def slug(heading):
    """The name of a heading in Markdown, as Git hosts make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def check_markdown(site):
    files = {}
    for folder, folders, names in os.walk(ROOT):
        # What is built, and the dependencies.
        folders[:] = [name for name in folders if not name.startswith(".build") and name not in (".git", ".swiftpm", "node_modules")]
        for name in names:
            if name.endswith(".md"):
                path = pathlib.Path(folder, name)
                files[path.relative_to(ROOT).as_posix()] = FENCE.sub("", path.read_text("utf-8"))
    pages = {pathlib.Path(name).stem for name in files if ".docc/" in name}
    for name, text in files.items():
        text = re.sub(r"`[^`\n]*`", "", text)
        for page in re.findall(r"<doc:([\w-]+)(?:#[^>]*)?>", text):
            site.checked += 1
            if page not in pages:
                site.add(name, f"<doc:{page}> is not a page of the guide")
        for link in MARKDOWN_LINK.findall(text):
            if re.match(r"(https?|mailto):", link):
                site.outside += 1
                continue
            if re.match(r"\w+:", link):
                continue
            site.checked += 1
            path, _, fragment = urllib.parse.unquote(link).partition("#")
            target = (ROOT / name).parent / path if path else ROOT / name
            if not target.exists():
                site.add(name, f"{link} leads nowhere")
            elif fragment and target.suffix == ".md":
                headings = re.findall(r"^#+ (.+)$", FENCE.sub("", target.read_text("utf-8")), re.MULTILINE)
                if fragment not in {slug(heading) for heading in headings}:
                    site.add(name, f"{link}: the file has no such heading")
    return len(files)


def main():
    site = Site(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build" / "docs")
    site.check_documents()
    site.check_pages()
    site.check_search()
    site.check_ends()
    files = check_markdown(site)
    for finding in site.findings:
        print(finding)
    print(f"links: {len(site.documents) + len(OUR_PAGES)} pages and {files} Markdown files, {site.checked} links inside, "
          f"{site.outside} to other hosts, {len(site.findings)} findings")
    return 1 if site.findings else 0


if __name__ == "__main__":
    sys.exit(main())
