// SPDX-License-Identifier: Apache-2.0
// The page of the search: what is typed is ranked by ranking.js, and the address keeps the question.
"use strict";

(() => {
  const shown = 30;
  const names = { article: "guide", recipe: "recipe", coming: "coming from elsewhere", decision: "decision", questions: "questions", command: "the command" };
  const field = document.getElementById("q");
  const list = document.getElementById("hits");
  const count = document.getElementById("count");
  const examples = document.getElementById("examples");
  const index = new CumulusSearch.SearchIndex(searchData);

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  /** A path of the site as a relative address: symbols have characters that mean something in an address. */
  function address(path, anchor) {
    return path.split("/").map(encodeURIComponent).join("/") + (anchor ? `#${encodeURIComponent(anchor)}` : "");
  }

  /** A paragraph in which the found words are marked. */
  function marked(text, found) {
    const paragraph = element("p");
    let end = 0;
    for (const match of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
      if (!CumulusSearch.terms(match[0]).some((term) => found.has(term))) continue;
      paragraph.append(text.slice(end, match.index), element("mark", match[0]));
      end = match.index + match[0].length;
    }
    paragraph.append(text.slice(end));
    return paragraph;
  }

  /** The parts of a text in which backquotes stand around code. */
  function withCode(text) {
    return text.split("`").map((part, place) => (place % 2 === 1 ? element("code", part) : part));
  }

  function item(hit) {
    const { page } = hit;
    const entry = element("li");
    const heading = element("h2");
    const link = element("a", "", { href: address(page.address) });
    link.append(page.kind === "symbol" ? element("code", page.title) : page.title);
    const kind = page.kind === "symbol" ? `${page.symbolKind} of ${page.module}` : names[page.kind];
    heading.append(link, element("span", kind, { class: "kind" }));
    entry.append(heading);
    if (page.abstract) entry.append(marked(page.abstract, hit.terms));
    if (hit.answer) {
      const known = element("p", "", { class: "answer" });
      known.append(element("strong"), " ", ...withCode(hit.answer.answer));
      known.firstChild.append(...withCode(hit.answer.question));
      entry.append(known);
    }
    const section = index.section(hit);
    if (section) {
      const text = index.extract(section[2], hit.terms);
      const paragraph = marked(text, hit.terms);
      paragraph.className = "remark";
      if (section[1]) paragraph.prepend(element("a", section[0], { href: address(page.address, section[1]) }), ": ");
      entry.append(paragraph);
    }
    return entry;
  }

  function show() {
    const question = field.value.trim();
    const scope = document.querySelector("input[name=in]:checked").value;
    const hits = question ? index.search(question, scope) : [];
    list.replaceChildren(...hits.slice(0, shown).map(item));
    examples.hidden = hits.length > 0;
    if (!question) count.textContent = "";
    else if (hits.length === 0) count.textContent = `Nothing has "${question}". Try another word, or one of the questions below.`;
    else if (hits.length > shown) count.textContent = `The best ${shown} of ${hits.length} pages`;
    else count.textContent = hits.length === 1 ? "One page" : `${hits.length} pages`;
    const query = new URLSearchParams();
    if (question) query.set("q", question);
    if (scope !== "all") query.set("in", scope);
    document.title = question ? `${question} | Search | Cumulus` : "Search | Cumulus";
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  }

  function walk(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const links = [...list.querySelectorAll("h2 a")];
    const place = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && (place >= 0 || document.activeElement === field)) links[Math.min(place + 1, links.length - 1)]?.focus();
    else if (event.key === "ArrowUp" && place >= 0) (links[place - 1] ?? field).focus();
    else if (event.key === "/" && document.activeElement !== field) {
      field.focus();
      field.select();
    } else return;
    event.preventDefault();
  }

  const query = new URLSearchParams(location.search);
  field.value = query.get("q") ?? "";
  for (const choice of document.querySelectorAll("input[name=in]")) {
    choice.checked = choice.value === (query.get("in") ?? "all");
    choice.addEventListener("change", show);
  }
  if (!document.querySelector("input[name=in]:checked")) document.querySelector("input[name=in]").checked = true;
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 60);
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
    list.querySelector("h2 a")?.click();
  });
  document.addEventListener("keydown", walk);
  show();
})();
