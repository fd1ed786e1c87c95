// SPDX-License-Identifier: Apache-2.0

import Cumulus

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An author, as the blog's old interface has them elsewhere.
struct Author: Codable, Sendable {
    var name: String
    var since: Date
}

/// Chapter 2: native values in, native values out.
struct Values {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        let posts = site["posts"]
        guide.chapter("Values")
        await guide.step(
            "Ask for your own type",
            "try await posts.get(as: [Post].self, query: [\"offset\": 1, \"limit\": 2])"
        ) {
            let page = try await posts.get(as: [Post].self, query: ["offset": 1, "limit": 2])
            try promise(page.map(\.id) == [2, 3], "\(page)")
            return page.map { "\($0.id ?? 0): \($0.title)" }.joined(separator: "\n")
        }
        await guide.step("Create", "try await posts.post(Post(title: \"Cumulus\"), as: Post.self)") {
            let post = try await posts.post(Post(title: "Cumulus"), as: Post.self)
            try promise(post.id == 4, "\(post)")
            return "created number \(post.id ?? 0)"
        }
        await guide.step("Update", "try await posts[4].put(Post(title: \"Cumulonimbus\"), as: Post.self)") {
            let post = try await posts[4].put(Post(title: "Cumulonimbus"), as: Post.self)
            try promise(post.title == "Cumulonimbus", "\(post)")
            return post.title
        }
        await guide.step("Delete, and ask only for success", "try await posts[4].delete(as: Void.self)") {
            try await posts[4].delete(as: Void.self)
            let after = try await posts[4].get()
            try promise(after.status.code == 404, "it is still there")
            return "gone: asking again answers \(after.status.code)"
        }
        await visitShapes(&guide)
    }

    /// Content that comes in other shapes than a type's own.
    private func visitShapes(_ guide: inout TourGuide) async {
        let posts = site["posts"]
        await guide.step(
            "JSON without a type",
            "let json = try await posts[1].get(as: JSON.self)\njson[\"title\"].string"
        ) {
            let json = try await posts[1].get(as: JSON.self)
            return try json["title"].string ?? { throw TourGuide.Surprise(description: "no title") }()
        }
        await guide.step(
            "A map for data of another shape",
            "let map: FieldMap = [.field(\"name\", at: \"user.names[0]\"), .field(\"since\", at: \"user.created_at\", .iso8601Date)]\nsite.coders.register(map, for: Author.self)"
        ) {
            let map: FieldMap = [
                .field("name", at: "user.names[0]"), .field("since", at: "user.created_at", .iso8601Date),
            ]
            let legacy = site["legacy"]
            legacy.coders.register(map, for: Author.self)
            let ada = try await legacy["ada"].get(as: Author.self)
            let back = try map.encode(ada)
            try promise(ada.name == "Ada" && back["user"]["created_at"] == "2026-11-21T10:00:00Z", "\(back)")
            return "\(ada.name), and back again: \(back)"
        }
        await guide.step(
            "A body as what it is",
            "if case .xml(let feed) = try await site[\"feed\"].get().content { ... }"
        ) {
            guard case .xml(let feed) = try await site["feed"].get().content else {
                throw TourGuide.Surprise(description: "the feed is not XML")
            }
            try promise(feed.elements("item").first?[attribute: "id"] == "1", "\(feed)")
            return feed.elements("item").map(\.text).joined(separator: "\n")
        }
        await guide.step(
            "A form",
            "try await site[\"echo\"].post(.form([\"user\": \"ada\", \"tags\": [\"a\", \"b\"]]))"
        ) {
            let echo = try await site["echo"].post(.form(["user": "ada", "tags": ["a", "b"]]))
            try promise(echo.form?["user"]?.queryValue == .text("ada"), "\(echo)")
            return "\(echo.header("Content-Type") ?? "") \(echo.text ?? "")"
        }
    }
}
