// SPDX-License-Identifier: Apache-2.0
// The search's ranking: BM25 over the fields of a page (title, questions, headings, abstract, text, code), with words cut to
// their stems and a small table of synonyms. The browser and the check of the questions run this same file.
"use strict";

// Words that say nothing about the subject.
const silentWords = new Set(("a about actually all also am an and any are as at be been but by can cannot could did do does doing " +
  "done for from get gets give go had has have how i if in into is isn it its just let like make makes me my need needs no not of on " +
  "one or our own please put set should so some something tell than that the their them then there these they thing this to up us use " +
  "used using want was way we were what when where which who why will with would you your don doesn didn won t s m re ve handle handling work works much many each every cumulus swift"
).split(" "));

// What people say, and what the pages say. A word on the left also finds those on the right.
const synonyms = {
  middleware: "interceptor hook stage", hook: "interceptor stage", intercept: "interceptor", plugin: "interceptor hook",
  base: "root", baseurl: "root resource", host: "root", endpoint: "resource",
  abort: "cancel", stop: "cancel", kill: "cancel", interrupt: "cancel",
  fake: "stub testing fixture", mock: "stub testing", mocking: "stub testing", simulate: "stub testing", dummy: "stub",
  unit: "testing", test: "testing stub",
  token: "bearer authorization", bearer: "token authorization", apikey: "authorization token", jwt: "bearer authorization", password: "credentials authorization",
  login: "authorization oauth", auth: "authorization", authenticate: "authorization", secret: "credentials", key: "token",
  renew: "refresh", expire: "refresh", expired: "refresh",
  again: "retry", repeat: "retry", resend: "retry", twice: "retry",
  hang: "deadlock", hung: "deadlock", stuck: "deadlock", freeze: "deadlock", frozen: "deadlock",
  slow: "performance timeout", fast: "performance", speed: "performance", benchmark: "performance",
  wait: "timeout", timeouts: "timeout", 
  offline: "fixture", debug: "logging", print: "logging", trace: "logging observer", log: "logging", verbose: "logging",
  image: "upload", photo: "upload multipart", picture: "upload multipart", attach: "multipart", form: "multipart",
  send: "upload", save: "download", store: "download",
  json: "coding", decode: "coding", parse: "coding", encode: "coding", model: "codable coding", struct: "codable coding", date: "coding",
  exception: "error", failure: "error", fail: "error", catch: "error", throw: "error",
  authentication: "authorization", basic: "authorization", digest: "authorization",
  parallel: "concurrency control", simultaneous: "concurrency control", concurrent: "concurrency control",
  size: "limit maximum", big: "limit maximum size", gzip: "coding compression", compress: "coding gzip",
  bar: "progress", percent: "progress", percentage: "progress",
  throttle: "pacing rate", quota: "pacing rate", ratelimit: "pacing rate", "429": "rate pacing",
  page: "paging", pagination: "paging", cursor: "paging", list: "paging",
  etag: "conditional", cache: "conditional etag", caching: "conditional etag",
  certificate: "tls trust", ssl: "tls", https: "tls", signed: "trust tls", pinning: "tls trust",
  header: "headers", useragent: "headers", parameter: "query", querystring: "query", url: "resource path",
  android: "platform", ios: "apple platform", mac: "apple platform", macos: "apple platform", windows: "platform linux", iphone: "apple platform",
  install: "installing package", add: "installing", dependency: "installing package", spm: "package installing", package: "installing",
  cli: "command", terminal: "command", curl: "curl command", shell: "command",
  s3: "aws bucket", bucket: "aws s3", aws: "s3",
  main: "actor isolation", actor: "isolation", sendable: "isolation", concurrency: "isolation",
  inherit: "inheritance", default: "settings", configure: "settings", config: "settings", option: "settings", ignored: "explain override",
  sqlite: "database", grdb: "database", coredata: "database",
  socks: "proxy", vpn: "proxy", session: "cookies",
};

// Weights of a page's fields, and by how much a long field weighs less.
const fields = [["title", 7, 0.3], ["questions", 4, 0.3], ["headings", 3.5, 0.5], ["abstract", 3, 0.3], ["text", 1, 0.7], ["code", 0.5, 0.8]];
const kindWeights = { article: 1, recipe: 0.9, coming: 0.62, decision: 0.7, questions: 0.45, command: 0.8, symbol: 0.5 };
const saturation = 4;
const relatedWeight = 0.6;
const otherWeight = 0.4;
const known = 2;

/** The word without its endings: `retries` and `retried` become `retry`, `cancellation` and `cancelled` become `cancel`. */
function stem(word) {
  let stemmed = word;
  if (stemmed.length > 3) {
    stemmed = stemmed.replace(/(?<=..)(ies|ied|ying)$/, "y");
    if (stemmed === word) stemmed = stemmed.replace(/(?<=[^s])s$/, "");
    stemmed = stemmed.replace(/(?<=....)(ations?|ators?)$/, "").replace(/(?<=...)(ing|ed|er|ers|ize|izes|ised|ise)$/, (end) => (/^i[sz]/.test(end) ? "iz" : ""));
    stemmed = stemmed.replace(/(?<=...)e$/, "");
    stemmed = stemmed.replace(/([bdfglmnprt])\1$/, "$1");
  }
  return stemmed;
}

/** The synonyms by the stems of what people say. */
const related = new Map();
for (const [said, meant] of Object.entries(synonyms)) related.set(stem(said), [...(related.get(stem(said)) ?? []), ...meant.split(" ").map(stem)]);

/** The words of a text in lower case; of `runningRequests`, the whole and its parts. */
function words(text) {
  const found = [];
  for (const [run] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const parts = run.split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter(Boolean);
    if (parts.length > 1) found.push(run.toLowerCase());
    for (const part of parts) found.push(part.toLowerCase());
  }
  return found;
}

function terms(text) {
  return words(text).map(stem);
}

/** Whether one insertion, deletion, replacement or swap of neighbours makes one word the other. */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const left = one.slice(start, one.length - end);
  const right = other.slice(start, other.length - end);
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left[0] === right[1] && left[1] === right[0]);
}

/** What is searched, from search-data.js: an index of terms, each with the pages and the weight of the term in them. */
class SearchIndex {
  constructor(data) {
    this.pages = data.articles.map(([address, title, kind, abstract, questions, sections]) => ({
      address, title, kind, abstract, sections,
      questions: questions.map(([question, answer]) => ({ question, answer, terms: this.asked(question).map(stem) })),
      fields: {
        title, abstract, questions: questions.map(([question]) => question).join("\n"), headings: sections.map((section) => section[0]).join("\n"),
        text: sections.map((section) => section[2]).join("\n"), code: sections.map((section) => section[3]).join("\n"),
      },
    }));
    for (const [address, title, symbolKind, abstract, module, mentions] of data.symbols) {
      this.pages.push({ address, title, kind: "symbol", symbolKind, abstract, module, mentions, sections: [], fields: { title, abstract } });
    }
    this.postings = new Map();
    this.count();
  }

  count() {
    const lengths = fields.map(([name]) => {
      const all = this.pages.map((page) => page.fields[name]?.length ?? 0).filter(Boolean);
      return all.reduce((sum, length) => sum + length, 0) / Math.max(1, all.length);
    });
    this.pages.forEach((page, number) => {
      const weights = new Map();
      fields.forEach(([name, weight, bias], index) => {
        const text = page.fields[name];
        if (!text) return;
        const share = weight / (1 - bias + bias * (text.length / lengths[index]));
        for (const term of terms(text)) weights.set(term, (weights.get(term) ?? 0) + share);
      });
      for (const [term, weight] of weights) {
        if (!this.postings.has(term)) this.postings.set(term, []);
        this.postings.get(term).push([number, weight]);
      }
      page.name = page.kind === "symbol" ? page.title.replace(/\(.*$/, "") : terms(page.title).join(" ");
      delete page.fields;
    });
    this.vocabulary = [...this.postings.keys()].sort();
  }

  /** The terms of the index that a word of the question stands for, each with its weight. */
  expand(word, isLast) {
    const term = stem(word);
    const found = new Map();
    const add = (other, weight) => {
      if (this.postings.has(other)) found.set(other, Math.max(weight, found.get(other) ?? 0));
    };
    add(term, 1);
    for (const other of related.get(term) ?? []) if (other !== term) add(other, relatedWeight);
    // A word that is still being typed.
    if (isLast && word.length > 2 && !found.has(term)) {
      for (const other of this.vocabulary) if (other.startsWith(word)) add(other, 0.7);
    }
    if (found.size === 0 && term.length > 3) {
      for (const other of this.vocabulary) if (isNear(term, other)) add(other, 0.6);
    }
    return found;
  }

  /** The question's words that count: all of them if each is a silent one. */
  asked(question) {
    const all = [...new Set(words(question))];
    const telling = all.filter((word) => !silentWords.has(word));
    return telling.length > 0 ? telling : all;
  }

  /** The pages that fit the question, best first: `{page, score, terms, answer}`; `scope` is "all", "guide" or "api". */
  search(question, scope = "all") {
    const asked = this.asked(question);
    const scores = new Map();
    const everyTerm = new Set();
    const expansions = [];
    asked.forEach((word, place) => {
      // Of a word and its synonyms the best counts, and the others a little.
      const best = new Map();
      const expansion = this.expand(word, place === asked.length - 1);
      expansions.push(expansion);
      for (const [term, weight] of expansion) {
        everyTerm.add(term);
        const postings = this.postings.get(term);
        const rarity = Math.log(1 + (this.pages.length - postings.length + 0.5) / (postings.length + 0.5));
        for (const [number, count] of postings) {
          const score = weight * rarity * ((count * (saturation + 1)) / (count + saturation));
          const before = best.get(number) ?? 0;
          best.set(number, Math.max(score, before) + otherWeight * Math.min(score, before));
        }
      }
      for (const [number, score] of best) {
        const [sum, matched] = scores.get(number) ?? [0, 0];
        scores.set(number, [sum + score, matched + 1]);
      }
    });
    const name = question.trim().replace(/\(.*$/, "");
    const title = terms(question).join(" ");
    const hits = [];
    for (const [number, [sum, matched]] of scores) {
      const page = this.pages[number];
      if (scope !== "all" && (page.kind === "symbol") !== (scope === "api")) continue;
      let score = sum * kindWeights[page.kind] * (0.4 + 0.6 * (matched / asked.length));
      // Whoever types a name wants what has this name; of several, the one that the guide speaks of.
      const { likeness, answer } = page.kind === "symbol" ? {} : this.knownQuestion(page, expansions);
      if (page.kind !== "symbol") score *= (page.name === title ? 2.5 : 1) * (1 + known * likeness);
      else {
        score *= page.name === name ? 6 : page.name.endsWith(`.${name}`) ? 2 : 1;
        score *= 1 + 0.1 * Math.log2(1 + page.mentions);
      }
      hits.push({ page, score, terms: everyTerm, answer });
    }
    return hits.sort((one, other) => other.score - one.score || one.page.title.length - other.page.title.length);
  }

  /** How much the question is one that the guide says this page answers, from 0 to 1, and from a half on that question. */
  knownQuestion(page, expansions) {
    const best = { likeness: 0 };
    for (const entry of page.questions) {
      const matched = expansions.filter((expansion) => entry.terms.some((term) => expansion.has(term))).length;
      const likeness = matched / (expansions.length + entry.terms.length - matched);
      if (likeness > 0.3 && likeness > best.likeness) Object.assign(best, { likeness, answer: likeness < 0.5 ? undefined : entry });
    }
    return best;
  }

  /** The section of a hit's page that has most of the terms: `[heading, anchor, text, code]`. */
  section(hit) {
    let best = null;
    let most = 0;
    for (const section of hit.page.sections) {
      const heading = new Set(terms(section[0]));
      const inText = new Set(terms(section[2]));
      let score = 0;
      for (const term of hit.terms) score += (heading.has(term) ? 2 : 0) + (inText.has(term) ? 1 : 0);
      if (score > most) [best, most] = [section, score];
    }
    return best;
  }

  /** About `length` characters of a text, around the densest place of the terms. */
  extract(text, found, length = 180) {
    const places = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].filter((match) => terms(match[0]).some((term) => found.has(term)));
    if (places.length === 0) return text.length > length ? `${text.slice(0, text.lastIndexOf(" ", length))} …` : text;
    let best = places[0].index;
    let most = 0;
    for (const { index } of places) {
      const near = new Set(places.filter((place) => place.index >= index && place.index < index + length).map((place) => stem(place[0].toLowerCase())));
      if (near.size > most) [best, most] = [index, near.size];
    }
    // From the beginning of the sentence, if it is near.
    const sentence = text.lastIndexOf(". ", best) + 2;
    const from = best - sentence < 100 ? (sentence === 1 ? 0 : sentence) : text.indexOf(" ", best - 60) + 1;
    const to = from + length >= text.length ? text.length : text.lastIndexOf(" ", from + length);
    return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
  }
}

globalThis.CumulusSearch = { SearchIndex, stem, terms, words };
