#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Asks the site's search what newcomers ask. Each question of Scripts/site/questions.tsv names the page that must be the
// first hit; the ranking is the browser's own, ranking.js over search-data.js.
//
// Usage: Scripts/site-questions.js [SITE]              checks; SITE is .build/docs if it isn't named
//        Scripts/site-questions.js [SITE] -q QUESTION  prints the first five hits, with their scores
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const words = process.argv.slice(2);
const asked = words.indexOf("-q") < 0 ? null : words.splice(words.indexOf("-q")).slice(1).join(" ");
const site = words[0] ?? path.join(__dirname, "..", ".build", "docs");
for (const name of ["search-data.js", "ranking.js"]) vm.runInThisContext(fs.readFileSync(path.join(site, name), "utf8"), name);

const index = new CumulusSearch.SearchIndex(searchData);
const shown = (hit) => `${hit.page.address.replace("documentation/", "")} ${hit.score.toFixed(1)}`;

if (asked !== null) {
  for (const hit of index.search(asked).slice(0, 5)) console.log(shown(hit));
  process.exit(0);
}

const rows = fs.readFileSync(path.join(__dirname, "site", "questions.tsv"), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
let wrong = 0;
for (const row of rows) {
  const [question, page] = row.split("\t");
  const hits = index.search(question);
  if (hits[0]?.page.address === `documentation/${page}`) continue;
  wrong += 1;
  console.log(`"${question}" should find ${page} first, and finds ${hits.slice(0, 3).map(shown).join(", ") || "nothing"}`);
}
console.log(`questions: ${rows.length} asked, ${rows.length - wrong} answered by the first hit`);
process.exit(wrong === 0 && rows.length > 0 ? 0 : 1);
