// SPDX-License-Identifier: Apache-2.0

import Cumulus

func children(site: Resource) {
    // snippet.children
    let posts = site["posts"]
    let one = posts[42]  // a number
    let comments = one["comments/latest"]  // several segments at once
    let drafts = site["posts?state=draft"]  // `?` starts the child's own query
    // snippet.end
    _ = (comments, drafts)
}

func values(site: Resource) {
    // snippet.values
    let name = "AC/DC?"
    let artist = site["artists/\(name)/albums"]
    print(artist.url ?? "")  // https://api.example.com/artists/AC%2FDC%3F/albums

    let tag = site["tags"][segment: name]  // one segment, whatever the text holds
    let file = site["files"][path: "2026/11/report 1.pdf"]  // `/` divides, the rest is data
    let user = site.child(format: "users/%@/posts/%d", "ada", 7)  // a format, as in Cocoa
    // snippet.end
    _ = (tag, file, user)
}

func refused(site: Resource) async throws {
    // snippet.refused
    let climbing = site["posts/../admin"]
    print(climbing.url as Any)  // nil: a refused path makes no URL
    do {
        _ = try await climbing.get()
    } catch let error as CumulusError where error.code == .invalidPath {
        print(error.message)  // quotes the path, and names `resource.parent`
    }
    // snippet.end
}

func links(site: Resource) async throws {
    // snippet.follow
    let first = try await site["posts"].get()
    if let next = first.header("X-Next-Page") {
        // Absolute or relative; at another origin no secret goes along.
        let page = try await site["posts"].follow(next).get()
        print(page.status)
    }
    // snippet.end
}

func slashes(site: Resource) {
    // snippet.slash
    site.trailingSlash = .added
    print(site["posts"].url ?? "")  // https://api.example.com/posts/
    // snippet.end
}
