// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// A tree of places, whose rules are inherited.
struct Places {
    let url: String

    func visit(_ guide: inout TourGuide) async throws {
        let site = Resource(url)
        guide.chapter("Places and rules")
        try await guide.step(
            "A resource is a place; a verb sends a request to it",
            "let response = try await site[\"posts/1\"].get()"
        ) {
            let response = try await site["posts/1"].get()
            try check(response.isSuccessful, "\(response)")
            return "\(response.status): \(response.text ?? "")"
        }
        try await visitRules(&guide, site)
        try await guide.step(
            "A value can't leave its segment of the path",
            "let name = \"../admin?x\"; site[\"users/\\(name)/posts\"].urlString"
        ) {
            let name = "../admin?x"
            let posts = site["users/\(name)/posts"]
            let seen = try await posts.get(as: JSON.self)
            try check(seen["by"].string == name, "\(seen)")
            return "\(posts)"
        }
        try await guide.step(
            "A path that leads upwards is refused before anything is sent",
            "try await site[\"posts/../admin\"].get()"
        ) {
            let error = try await failure { try await site["posts/../admin"].get() }
            try check(error.code == .invalidPath, "\(error)")
            return error.message
        }
    }

    private func visitRules(_ guide: inout TourGuide, _ site: Resource) async throws {
        let posts = site["posts"]
        try await guide.step(
            "A rule applies to a place and everything below it that has no rule of its own; `explain` shows its source",
            "site.setRules { $0.timeout = .seconds(20) }; posts.setRules { $0.timeout = .seconds(60) }\n"
                + "posts[1].explain(\\.timeout)"
        ) {
            site.setRules { $0.timeout = .seconds(20) }
            posts.setRules { $0.timeout = .seconds(60) }
            let times = [site["users"].timeout, posts[1].timeout]
            try check(times == [.seconds(20), .seconds(60)], "\(times)")
            return posts[1].explain(\.timeout).description
        }
        try await guide.step(
            "A later rule also applies to existing resources",
            "site.setRules { $0.query[\"lang\"] = \"en\" }; try await search.get(query: [\"q\": \"rain\"])"
        ) {
            let search = site["search"]
            site.setRules { $0.query["lang"] = "en" }
            defer { site.setRules { $0.query.inherit("lang") } }
            let text = try await search.get(as: String.self, query: ["q": "rain"])
            try check(text == "lang=en&q=rain", text)
            return "the service received a request for \(text)"
        }
    }
}

/// Your types in, your types out.
struct Values {
    let url: String

    func visit(_ guide: inout TourGuide) async throws {
        let posts = Resource(url)["posts"]
        guide.chapter("Your own types")
        try await guide.step(
            "Get a value of your type",
            "let page = try await posts.get(as: [Post].self, query: [\"offset\": 1, \"limit\": 2])"
        ) {
            let page = try await posts.get(as: [Post].self, query: ["offset": 1, "limit": 2])
            try check(page.map(\.id) == [2, 3], "\(page)")
            return page.map { "\($0.id ?? 0): \($0.title)" }.joined(separator: "; ")
        }
        try await guide.step(
            "Create, change and delete; `requireSuccess()` judges the status",
            "let post = try await posts.post(body: Post(title: \"Cumulus\"), as: Post.self)\n"
                + "try await posts[4].put(body: Post(title: \"Nimbus\"), as: Post.self)\n"
                + "try await posts[4].delete().requireSuccess()"
        ) {
            let post = try await posts.post(body: Post(title: "Cumulus"), as: Post.self)
            try check(post.id == 4 && post.title == "Cumulus", "\(post)")
            let changed = try await posts[4].put(body: Post(title: "Nimbus"), as: Post.self)
            try await posts[4].delete().requireSuccess()
            let after = try await posts[4].get()
            try check(changed.title == "Nimbus" && after.status == .notFound, "\(changed) \(after)")
            return "\(post.title), \(changed.title); then a GET of it returns \(after.status)"
        }
        try await guide.step(
            "JSON without a type, both ways",
            "try await site[\"echo\"].post([\"title\": \"Clouds\", \"stars\": 3], as: JSON.self)[\"stars\"].int"
        ) {
            let echo = try await Resource(url)["echo"].post(["title": "Clouds", "stars": 3], as: JSON.self)
            try check(echo["stars"].int == 3 && echo["title"].string == "Clouds", "\(echo)")
            return "\(echo["stars"].int ?? 0)"
        }
    }
}
