// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Chapter 1: a tree of places, whose settings are inherited.
struct Resources {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Resources")
        await guide.step(
            "A resource is a place; verbs send requests to it",
            "let answer = try await site[\"posts/1\"].get()"
        ) {
            let answer = try await site["posts/1"].get()
            try promise(answer.isSuccessful, "\(answer)")
            return "\(answer.status.code) \(answer.text ?? "")"
        }
        await guide.step(
            "Children inherit settings, and may override them",
            "site.timeout = .seconds(20)\nlet posts = site[\"posts\"]\nposts.timeout = .seconds(60)"
        ) {
            site.timeout = .seconds(20)
            let posts = site["posts"]
            posts.timeout = .seconds(60)
            try promise(site["users"].timeout == .seconds(20) && posts[1].timeout == .seconds(60), "not inherited")
            return posts[1].explain(\.timeout).description
        }
        await guide.step(
            "A setting that an ancestor gets later reaches its children's next request",
            "let search = site[\"search\"]\nsite.query[\"lang\"] = \"en\"\ntry await search.get(query: [\"q\": \"rain\", \"tags\": [1, 2]])"
        ) {
            let search = site["search"]
            site.query["lang"] = "en"
            defer { site.query.inherit("lang") }
            let text = try await search.get(as: String.self, query: ["q": "rain", "tags": [1, 2]])
            try promise(text == "lang=en&q=rain&tags%5B%5D=1&tags%5B%5D=2", text)
            return text
        }
        await guide.step(
            "An interpolated value can't leave its segment",
            "let name = \"../admin?x\"\nsite[\"users/\\(name)/posts\"].url"
        ) {
            let name = "../admin?x"
            let names = try await site["users/\(name)/posts"].get(as: [String].self)
            try promise(names == [name], "\(names)")
            return "\(site["users/\(name)/posts"])"
        }
        await guide.step(
            "Host names may contain any script, and are sent in ASCII",
            "Resource(\"https://b\\u{FC}cher.example\").url"
        ) {
            let url = "\(Resource("https://b\u{FC}cher.example").url ?? "")"
            try promise(url == "https://xn--bcher-kva.example" || url == "https://xn--bcher-kva.example/", url)
            return url
        }
        await guide.step("Leaving a place upwards is refused", "try await site[\"posts/../admin\"].get()") {
            "\(try await failure { try await site["posts/../admin"].get() })"
        }
    }
}
