// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Issue: Codable, Sendable {
    var id: Int
    var title: String
}

func items(repo: Resource) async throws {
    // snippet.items
    for try await issue in repo["issues"].pages(of: Issue.self) {
        print(issue.title)
    }
    // snippet.end

    // snippet.pages
    for try await page in repo["issues"].pages(of: Issue.self, query: ["state": "open"], maxPages: 10).byPage {
        print(page.number, page.items.count, page.response.headers["X-Total-Count"] ?? "")
    }
    // snippet.end
}

func rules(site: Resource, chat: Resource) async throws {
    // snippet.rules
    chat.setRules { $0.paging = .cursor(at: "response_metadata.next_cursor", query: "cursor") }
    chat["channels"].setRules {
        $0.paging = .cursor(at: "response_metadata.next_cursor", query: "cursor").items(at: "channels")
    }

    let orders = site["orders"].pages(of: JSON.self, by: .pageNumber(last: "meta.total_pages"))
    let rows = site["rows"].pages(of: JSON.self, by: .offset(total: "total"), query: ["limit": 100])
    // snippet.end
    _ = (orders, rows)
}

func origins(site: Resource) async throws {
    // snippet.origins
    site["archive"].setRules { $0.paging = .links.leading(to: "https://archive.example.com") }
    // snippet.end
}

func resume(repo: Resource, keep: (String) -> Void, kept: String) async throws {
    // snippet.resume
    for try await page in repo["events"].pages(of: JSON.self).byPage {
        if let next = page.next { keep("\(next)") }  // the whole URL, with its query
    }

    for try await event in repo["events"].follow(kept).pages(of: JSON.self) { print(event) }
    // snippet.end
}

func doubting(repo: Resource) async throws {
    // snippet.doubt
    for try await page in repo["issues"].pages(of: Issue.self).byPage {
        if let doubt = page.ambiguity { print("perhaps not all: \(doubt)") }
    }
    // snippet.end
}
