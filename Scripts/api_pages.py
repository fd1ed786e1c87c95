# SPDX-License-Identifier: Apache-2.0
"""The public interface as Markdown for readers on a code host: `docs/api/TYPE.md`, and an index. Used by Scripts/api.py.

A page has a type's declaration, conformances and members, with their docstrings. Members that another module adds are on
the type's page as well. Left out: unavailable declarations, which exist for the compiler's hints, and members without
docstrings whose protocol belongs to the standard library, such as `hash(into:)`.
"""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "api"
TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}
# In the order of a page.
GROUPS = {"associatedtype": "Associated types", "init": "Initializers", "enum.case": "Cases", "type.property": "Type properties", "property": "Properties",
          "type.subscript": "Subscripts", "subscript": "Subscripts", "type.method": "Type methods", "method": "Methods", "func.op": "Operators", "func": "Functions"}
ORDER = list(dict.fromkeys(GROUPS.values()))
LOOSE = "Functions"
# A type with more members than this has a heading for the methods of each folder, and a list of them.
MANY = 25
NOTE = "<!-- Made by Scripts/api.py from the docstrings in Sources/; change those. -->\n"


def slug(heading):
    """The name of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def kind(symbol):
    return symbol["kind"]["identifier"].removeprefix("swift.")


def docstring(symbol):
    comment = symbol.get("docComment", {})
    return "\n".join(line["text"] for line in comment.get("lines", [])).strip("\n") if comment.get("module", "").startswith("Cumulus") else ""


class Reference:
    """All symbols by page, gathered from the modules' graphs."""

    def __init__(self):
        self.types, self.members, self.conformances = {}, {}, {}

    def add(self, module, graph):
        names = {}
        for symbol in graph["symbols"]:
            precise = symbol["identifier"]["precise"]
            names[precise] = ".".join(symbol["pathComponents"])
            gone = any(note.get("isUnconditionallyUnavailable") for note in symbol.get("availability", []))
            inherited = symbol.get("docComment", {}).get("module", "Cumulus")
            if "::SYNTHESIZED::" in precise or gone or not inherited.startswith("Cumulus"):
                continue
            path = symbol["pathComponents"]
            if kind(symbol) in TYPES:
                self.types.setdefault(".".join(path), (module, symbol))
            elif docstring(symbol) or len(path) == 1 or kind(symbol) in {"enum.case", "associatedtype"}:
                self.members.setdefault(".".join(path[:-1]) or LOOSE, []).append((module, symbol))
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo" and relation["source"] in names:
                other = relation.get("targetFallback") or names.get(relation["target"], "")
                if other and not other.split(".")[-1].startswith(("Copyable", "Escapable", "SendableMetatype")):
                    self.conformances.setdefault(names[relation["source"]], set()).add(other.removeprefix("Swift."))

    def pages(self):
        """The text of each page, by name."""
        headings = {name: {slug(title(symbol)) for _, symbol in found} for name, found in self.members.items()}
        names = set(self.types) | set(self.members)
        written = {name: self.page(name, names, headings) for name in sorted(names)}
        written["README"] = self.index()
        return written

    def linked(self, text, page, headings):
        """A docstring whose names of symbols lead to their pages."""
        pieces = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
        for place in range(0, len(pieces), 2):
            pieces[place] = re.sub(r"(?<!`)``([^`\n]+)``(?!`)", lambda found: self.link(found[1], page, headings), pieces[place])
            pieces[place] = re.sub(r"<doc:(\w+)(?:#[^>]*)?>", r"[\1](../guide/\1.md)", pieces[place])
        return "".join(pieces)

    def link(self, name, page, headings):
        target, words = address(name, page, self.types, headings), f"`{'.'.join(parts(name))}`"
        return f"[{words}]({target})" if target else words

    def page(self, name, names, headings):
        lines = [NOTE, f"# {name}", ""]
        if name in self.types:
            module, symbol = self.types[name]
            lines += [*declaration(symbol), "", f"In {module}. {self.conforming(name, names)}".strip(), ""]
            if docstring(symbol):
                lines += [self.linked(docstring(symbol), name, headings), ""]
        inner = sorted(other for other in self.types if other.rpartition(".")[0] == name)
        if inner:
            lines += ["## Types", "", *(f"- [{other}]({other}.md): {first(docstring(self.types[other][1]))}" for other in inner), ""]
        own = self.types[name][0] if name in self.types else None
        groups = self.groups(name)
        if len(groups) > 3:
            lines += ["On this page: " + " · ".join(f"[{group}](#{slug(group)})" for group in groups), ""]
        for group, found in groups.items():
            lines += [f"## {group}", ""]
            before = None
            for module, symbol in sorted(found, key=lambda each: (title(each[1]), each[0], *text(each[1]))):
                if title(symbol) != before:
                    lines += [f"### {title(symbol)}", ""]
                    before = title(symbol)
                lines += [*declaration(symbol), ""]
                if module != own:
                    lines += [f"In {module}.", ""]
                if docstring(symbol):
                    lines += [self.linked(docstring(symbol), name, headings), ""]
        return "\n".join(lines + ["[All types](README.md)"]) + "\n"

    def groups(self, name):
        """The members of a type by kind, and the methods of one with many members by the folder of their source."""
        found, members = {group: [] for group in dict.fromkeys(GROUPS.values())}, self.members.get(name, [])
        for module, symbol in members:
            group = GROUPS.get(kind(symbol))
            if group in {"Methods", "Properties"} and len(members) > MANY:
                group = f"{group}: {subject(module, symbol)}"
            if group:
                found.setdefault(group, []).append((module, symbol))
        return {group: found[group] for group in sorted(found, key=lambda each: (ORDER.index(each.partition(":")[0]), each)) if found[group]}

    def conforming(self, name, names):
        found = [f"[{other}]({other}.md)" if other in names else other for other in sorted(self.conformances.get(name, []))]
        return f"Conforms to {', '.join(found)}." if found else ""

    def index(self):
        lines = [NOTE, "# The interface", "", "All public types, by module, with their docstrings. [The guide](../../GUIDE.md) explains how to use them.", ""]
        for module in dict.fromkeys(module for module, _ in self.types.values()):
            lines += [f"## {module}", ""]
            lines += [f"- [{name}]({name}.md): {first(docstring(symbol))}" for name, (owner, symbol) in sorted(self.types.items()) if owner == module]
            lines.append("")
        added = sorted(set(self.members) - set(self.types))
        lines += ["## Members of other packages' types, and functions", "", *(f"- [{name}]({name}.md)" for name in added), ""]
        return "\n".join(lines)


def subject(module, symbol):
    """The folder of a declaration below its module's, or the module, in words: `RateLimit` as `rate limit`."""
    path = symbol.get("location", {}).get("uri", "").partition(f"/Sources/{module}/")[2]
    folder = path.partition("/")[0] if "/" in path else module
    return folder if folder == module else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", folder).lower().replace("http2", "HTTP/2")


def title(symbol):
    return symbol["names"]["title"].rpartition(".")[2] if kind(symbol) == "enum.case" else symbol["names"]["title"]


def text(symbol):
    return ("".join(part["spelling"] for part in symbol["declarationFragments"]),)


def declaration(symbol):
    return ["```swift", *text(symbol), "```"]


def first(comment):
    """The first sentence of a docstring, without links, as it is shown in lists."""
    paragraph = " ".join(comment.split("\n\n")[0].split())
    return re.sub(r"``([^`]+)``", lambda found: f"`{parts(found[1])[-1]}`", re.split(r"(?<=[.])\s", paragraph)[0]) or "–"


def parts(link):
    """The path of a DocC link, without its module and its suffixes."""
    found = [re.sub(r"-(?:swift\.[\w.]+|\(.*|[0-9a-z]{4,6})$", "", part) for part in link.strip("/").split("/")]
    return found[1:] if re.match(r"Cumulus[A-Z]", found[0]) and found[0] != "CumulusError" and len(found) > 1 else found


def address(link, page, types, headings):
    """The page and heading of a symbol, named relative to a page's type, to an outer one, or whole; or nothing."""
    outer = page.split(".") if page else []
    for depth in range(len(outer), -1, -1):
        whole = ".".join(outer[:depth] + parts(link))
        owner, _, member = whole.rpartition(".")
        if whole in types:
            return f"{whole}.md"
        if slug(member) in headings.get(owner or LOOSE, ()):
            return f"{owner or LOOSE}.md#{slug(member)}"
    return f"README.md#{slug(link)}" if re.fullmatch(r"Cumulus[A-Z]\w+", link) else None


def committed():
    """The names of the pages in the folder, and the headings of each."""
    files = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    return set(files), {name: {slug(head) for head in re.findall(r"^### (.+)$", text, re.MULTILINE)} for name, text in files.items()}


def write(reference, check):
    """Writes the pages that differ and removes those without a type, or counts them."""
    pages, differing = reference.pages(), []
    for name, content in pages.items():
        path = FOLDER / f"{name}.md"
        if not path.is_file() or path.read_text("utf-8") != content:
            differing.append(path.name)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, "utf-8")
    for path in sorted(FOLDER.glob("*.md")):
        if path.stem not in pages:
            differing.append(path.name)
            if not check:
                path.unlink()
    return pages, differing
