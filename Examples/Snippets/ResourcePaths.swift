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

func international() {
    // snippet.international
    let books = Resource("https://bücher.example")
    print(books.urlString ?? "")  // https://xn--bcher-kva.example
    // snippet.end
}

func values(site: Resource) {
    // snippet.values
    let name = "AC/DC?"
    let artist = site["artists/\(name)/albums"]
    print(artist.urlString ?? "")  // https://api.example.com/artists/AC%2FDC%3F/albums

    let tag = site["tags"][segment: name]  // one segment, whatever the text contains
    let file = site["files"][path: "2026/11/report 1.pdf"]  // `/` separates segments, everything else is data
    let user = site.child(format: "users/%@/posts/%05d", "ada", 7)  // a printf-style format
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
        print(error.message)  // quotes the path, and names `relative(to:)`
    }
    // snippet.end

    // snippet.relative
    let next = site["posts/7"].relative(to: "../8")  // site["posts/8"], with its inherited settings
    // snippet.end
    _ = next
}

func links(site: Resource) async throws {
    // snippet.follow
    let first = try await site["posts"].get()
    if let next = first.header("X-Next-Page") {
        // Absolute or relative; no secret is sent to another origin.
        let page = try await site["posts"].follow(next).get()
        print(page.status)
    }
    // snippet.end
}

func creating(at site: Resource) async throws -> JSON? {
    // snippet.created
    let created = try await site["posts"].post(["title": "Clouds"]).requireSuccess()  // 201
    guard let location = created.header("Location") else { return nil }
    return try await site["posts"].follow(location).get(as: JSON.self)
    // snippet.end
}

func slashes(site: Resource) {
    // snippet.slash
    site.setRules { $0.trailingSlash = .added }
    print(site["posts"].urlString ?? "")  // https://api.example.com/posts/
    // snippet.end
}

func urls() throws {
    // snippet.urls
    let url = try RequestURL("https://api.example.com/list?page=1")
    print(url.merging(["page": 2, "tag": "a b"]))  // https://api.example.com/list?page=2&tag=a%20b
    print(try url.appending(path: "2026/11 22"))  // https://api.example.com/list/2026/11%2022?page=1
    print(PercentEncoding.encode("AC/DC"), PercentEncoding.decode("AC%2FDC"))  // AC%2FDC AC/DC
    // snippet.end
}
