# SPDX-License-Identifier: Apache-2.0
"""What Scripts/site-look.sh does once there is a browser: look.py SITE PICTURES."""

import pathlib
import re
import sys
import time

from browser import Browser, Server

QUESTION = "where do I put my token?"
# Address, title, and a line of code that must be seen.
PAGES = [
    ("", "Cumulus", "swift run tour"),
    ("documentation/", "cumulus", None),
    ("documentation/cumuluscore", "Cumulus", 'let site = Resource("https://api.example.com")'),
    ("documentation/cumuluscore/gettingstarted", "Getting started", "struct Post: Codable, Sendable {"),
    ("documentation/cumuluscore/authorizing", "Authorization", "site.authorizers = [.bearer(token)]"),
    ("documentation/cumuluscore/faq", "Questions", "site.authorizers = [.bearer(token)]"),
    ("documentation/cumuluscore/resource", "Resource", "class Resource"),
    ("documentation/cumuluscore/settings/timeout", "timeout", "var timeout"),
    ("search.html", "Search", None),
    ("404.html", "This page is not here", None),
]
WINDOWS = [(390, 844, False), (390, 844, True), (1280, 900, False), (1280, 900, True)]
# The text of all `pre` and `code`, without the marks of highlighting.
CODE = "[...document.querySelectorAll('pre, code')].map(each => each.textContent).join('\\n')"
# What sticks out of the window, unless it scrolls in its own box.
WIDTH = "[document.documentElement.scrollWidth, window.innerWidth]"
FIRST_HIT = "document.querySelector('#hits h2 a')?.getAttribute('href')"


class Look:
    def __init__(self, site, pictures):
        self.server, self.browser, self.pictures = Server(site), Browser(), pictures
        self.findings, self.taken, self.place = [], 0, ""

    def expect(self, condition, text):
        if not condition:
            self.findings.append(f"{self.place}: {text}")

    def picture(self, name):
        self.browser.picture(self.pictures / f"{name}.png")
        self.taken += 1

    def page(self, address, title, code):
        self.browser.go(f"{self.server.url}/{address}")
        # DocC's pages get their text after they are loaded.
        shown = self.browser.wait(f"[...document.querySelectorAll('h1')].some(each => each.textContent.trim() == {title!r})")
        self.expect(shown, f"no title {title!r}, but {self.browser.evaluate('document.body.innerText.slice(0, 200)')!r}")
        if code:
            self.expect(self.browser.wait(f"({CODE}).includes({code!r})", 5), f"no code {code!r}")
        width, window = self.browser.evaluate(WIDTH)
        self.expect(width <= window, f"{width} pixels wide in a window of {window}")
        broken = self.browser.evaluate("[...document.images].filter(each => each.complete && !each.naturalWidth).map(each => each.src)")
        self.expect(not broken, f"broken pictures: {broken}")
        if address.startswith("documentation"):
            link = self.browser.evaluate("document.querySelector('custom-header')?.shadowRoot.querySelector('.search')?.href")
            self.expect(link == f"{self.server.url}/search.html", f"the header's search is {link}")
        self.expect(not self.browser.messages, f"the console says {self.browser.messages}")

    def search(self, base):
        """Types a question, and goes through the hits with the keyboard."""
        self.browser.go(f"{self.server.url}{base}/search.html")
        self.expect(self.browser.wait("document.activeElement.id == 'q'", 5), "the field has no focus")
        self.browser.call("Input.insertText", text=QUESTION)
        self.expect(self.browser.wait(f"{FIRST_HIT} == 'documentation/cumuluscore/authorizing'", 5),
                    f"{QUESTION} finds {self.browser.evaluate(FIRST_HIT)} first")
        answer = self.browser.evaluate("document.querySelector('#hits li .answer')?.textContent")
        self.expect(answer and "site.authorizers" in answer, f"the first hit has the answer {answer!r}")
        width, window = self.browser.evaluate(WIDTH)
        self.expect(width <= window, f"{width} pixels wide in a window of {window}")

    def keyboard(self):
        press, evaluate = self.browser.press, self.browser.evaluate
        press("ArrowDown", 40)
        press("ArrowDown", 40)
        at = "[...document.querySelectorAll('#hits h2 a')].indexOf(document.activeElement)"
        self.expect(evaluate(at) == 1, f"two arrows down lead to hit {evaluate(at)}, not 1")
        press("/", 191)
        self.expect(evaluate("document.activeElement.id") == "q", "/ does not lead back to the field")
        self.expect("q=where" in evaluate("location.search"), "the address has no question")
        press("Enter", 13)
        led = self.browser.wait("location.pathname.endsWith('/documentation/cumuluscore/authorizing/')", 10)
        self.expect(led, f"Enter leads to {evaluate('location.href')}")
        self.expect(self.browser.wait("document.querySelector('h1')?.textContent.trim() == 'Authorization'"), "Enter opens no page")

    def table(self):
        """The last column of the table of questions has the links: on a phone, too, it is inside the window."""
        self.browser.go(f"{self.server.url}/documentation/cumuluscore/faq")
        right = "Math.max(...[...document.querySelectorAll('td a')].map(each => each.getBoundingClientRect().right))"
        self.expect(self.browser.wait(f"document.querySelector('td a') && {right} <= window.innerWidth", 5),
                    f"the table's links reach to {self.browser.evaluate(right)} pixels")

    def sidebar(self):
        """DocC's own list of pages and its filter."""
        self.browser.go(f"{self.server.url}/documentation/cumuluscore/authorizing")
        shown = "document.querySelectorAll('.navigator-card-item').length"
        self.expect(self.browser.wait(f"{shown} > 10"), "there is no sidebar")
        self.browser.evaluate("document.querySelector('.navigator-filter input').focus()")
        self.browser.call("Input.insertText", text="cookies")
        marked = "[...document.querySelectorAll('.navigator-card-item .match')].filter(each => /cookies/i.test(each.textContent)).length"
        self.expect(self.browser.wait(f"{marked} > 2", 5), f"the sidebar's filter finds {self.browser.evaluate(marked)} entries on cookies")
        self.picture("sidebar-1280")

    def all(self):
        for width, height, dark in WINDOWS:
            self.browser.look(width, height, dark)
            size = f"{width}-dark" if dark else f"{width}"
            for address, title, code in PAGES:
                self.place = f"/{address} at {size}"
                self.page(address, title, code)
                name = re.sub(r"\W+", "-", address.removeprefix("documentation/")).strip("-") or ("modules" if address else "start")
                time.sleep(0.2)
                self.picture(f"{name}-{size}")
            self.place = f"the search at {size}"
            self.search("")
            self.picture(f"search-typed-{size}")
            self.keyboard()
        self.place = "the search below a path"
        self.search("/base")
        self.place = "the questions on a phone"
        self.browser.look(390, 844)
        self.table()
        self.place = "the sidebar"
        self.browser.look(1280, 900)
        self.sidebar()


def main():
    site, pictures = (pathlib.Path(name) for name in sys.argv[1:3])
    pictures.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    look = Look(site, pictures)
    try:
        look.all()
    finally:
        look.browser.close()
        look.server.close()
    for finding in look.findings:
        print(finding)
    print(f"look: {look.taken} pictures in {pictures}, {len(look.findings)} findings, {time.monotonic() - started:.0f} s")
    return 1 if look.findings else 0


if __name__ == "__main__":
    sys.exit(main())
