// SPDX-License-Identifier: Apache-2.0

import Cumulus

func expanding() throws {
    // snippet.expand
    let template = try URITemplate(parsing: "users/{login}/repos{?type,page}")
    let text = try template.expand(["login": "Ada Lovelace", "page": 2])
    print(text)  // users/Ada%20Lovelace/repos?page=2
    print(template.variables)  // ["login", "type", "page"]
    // snippet.end
}

func children(site: Resource, login: String, path: String) {
    // snippet.child
    let repositories = site.child(template: "users/{login}/repos{?page}", ["login": login, "page": 2])
    let file = site.child(template: "files/{+path}", ["path": path])  // slashes in `path` separate segments
    // snippet.end
    _ = (repositories, file)
}

func lenient(text: String) {
    // snippet.lenient
    let expansion = URITemplate(lenient: text).expandLeniently(["login": "ada"])
    print(expansion.text)  // invalid parts are unchanged
    for problem in expansion.problems { print(problem.offset, problem.reason) }
    // snippet.end
}
