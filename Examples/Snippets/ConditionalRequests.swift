// SPDX-License-Identifier: Apache-2.0

import Cumulus

func track(_ site: Resource, show: (String) -> Void) async throws {
    site.setRules { $0.tracksRevisions = true }

    let response = try await site["news"].get()
    if response.isNotModified {
        // The value that you kept is still current.
    } else {
        show(response.text ?? "")
    }
}

func value(_ site: Resource) async throws {
    // snippet.value
    let news = try await site["news"].get(as: [String].self)  // the value, whether it has changed or not

    let asking = site["news"].with { $0.conditions.ifNoneMatch = "v7" }
    do {
        print(news, try await asking.get(as: [String].self))
    } catch let error as CumulusError where error.code == .notModified {
        print("nothing new")
    }
    // snippet.end
}

func change(_ post: Resource, _ draft: Draft) async throws {
    // snippet.guard
    post.setRules {
        $0.tracksRevisions = true
        $0.conditions = .ifUnchanged
    }

    try await post.get().requireSuccess()
    let saved = try await post.put(body: draft)
    if saved.status == .preconditionFailed { print("someone else has changed it") }
    // snippet.end
}

func overwrite(_ post: Resource, _ draft: Draft) async throws {
    // snippet.if-match
    let current = try await post.get().requireSuccess()
    if let tag = current.etag {  // store it with what your user edits
        let saved = try await post.with { $0.conditions.ifMatch = tag }.put(body: draft)
        if saved.status == .preconditionFailed { print("someone else has changed it") }
    }
    // snippet.end
}

struct Entry: Codable, Sendable {
    var title: String
    var tags: [String]
}

func update(_ post: Resource) async throws {
    // snippet.update
    try await post.update(as: Entry.self) { $0.title = "On anvils" }
    try await post.update(as: Entry.self, by: .mergePatch) { $0.tags.append("weather") }
    // snippet.end

    // snippet.whole
    try await post.update(as: JSON.self) { $0["title"] = "On anvils" }
    // snippet.end
}

func named(_ site: Resource) {
    // snippet.named
    let news = site["news"].with { $0.conditions = Conditions(ifNoneMatch: "v7") }
    let made = site["new-file"].with { $0.conditions = Conditions(ifNoneMatch: "*") }  // PUT only if none exists yet
    // snippet.end

    // snippet.cache
    site.setRules { $0.cachePolicy = .maxAge(.seconds(60)) }
    let live = site["live"].with { $0.cachePolicy = .reload }
    // snippet.end
    _ = (news, made, live)
}
