// SPDX-License-Identifier: Apache-2.0

import Cumulus

func inheritance(token: String) {
    // snippet.inherit
    let site = Resource("https://api.example.com")
    site.timeout = .seconds(20)
    site.headers["X-Client"] = "Atlas"

    let posts = site["posts"]
    let uploads = posts["uploads"]
    uploads.timeout = .seconds(60)  // overrides; posts and site keep 20 seconds

    site.query["token"] = token  // reaches the next request of posts and uploads too
    // snippet.end

    // snippet.forget
    uploads.inherit(\.timeout)  // 20 seconds again
    uploads.headers["X-Client"] = nil  // masks the inherited field: it is not sent
    uploads.headers.inherit("X-Client")  // "Atlas" again
    // snippet.end

    // snippet.explain
    print(uploads.explain(\.timeout))
    // snippet.end
}

func several(posts: Resource) async throws {
    // snippet.configure
    // Requests see all of these changes, or none.
    posts.configure {
        $0.timeout = .seconds(30)
        $0.headers["X-Client"] = "Atlas"
        $0.contentType = .json
    }
    // snippet.end

    // snippet.with
    let patient = posts.with { $0.timeout = nil }  // the same place; posts itself is unchanged
    let slow = try await patient["report"].get()
    // snippet.end
    _ = slow
}

func lists(site: Resource, quiet: Resource) {
    // snippet.lists
    site.validators.append { response in
        if response.header("X-Maintenance") != nil { throw Maintenance() }
    }
    quiet.validators = .replacing([])  // removes the inherited ones
    // snippet.end
}

struct Maintenance: Error {}

// snippet.own
enum RegionKey: SettingKey {
    static var defaultValue: String { "eu" }
}

extension Settings {
    var region: String {
        get { self[RegionKey.self] }
        set { self[RegionKey.self] = newValue }
    }
}
// snippet.end

// snippet.own-rules
typealias Sign = @Sendable (String) async throws -> String

/// A function that may ask a keychain, so a call must be able to leave it.
enum SignKey: SettingKey {
    static var defaultValue: Sign? { nil }
    static func mayWait(_ value: Sign?) -> Bool { value != nil }
    static func describe(_ value: Sign?) -> String { value == nil ? "none" : "a signature" }
}

/// Labels for your own statistics: a child adds to its parent's, and no server sees them.
enum LabelsKey: SettingKey {
    static var defaultValue: Set<String> { [] }
    static func combine(inherited: Set<String>, own: Set<String>) -> Set<String> { inherited.union(own) }
    static var crossesOrigins: Bool { true }
    static var affectsAnswer: Bool { false }
}
// snippet.end

// snippet.own-list
struct Tag: Sendable { var name: String }

enum TagsKey: ListSettingKey {
    typealias Element = Tag
}

extension Settings {
    var tags: SettingList<Tag> {
        get { self[TagsKey.self] }
        set { self[TagsKey.self] = newValue }
    }
}
// snippet.end

extension Settings {
    var sign: Sign? {
        get { self[SignKey.self] }
        set { self[SignKey.self] = newValue }
    }
    var labels: Set<String> {
        get { self[LabelsKey.self] }
        set { self[LabelsKey.self] = newValue }
    }
}

func ownSetting(site: Resource) {
    // snippet.own-use
    site.region = "us"
    print(site["posts"].region)  // us
    print(site["posts"].explain(\.region))
    // snippet.end

    // snippet.own-list-use
    site.tags.append(Tag(name: "beta"))
    let posts = site["posts"]
    posts.tags.append(Tag(name: "public"))
    print(posts.tags.map(\.name))  // ["beta", "public"]
    // snippet.end
}

func client(_ site: Resource) {
    // snippet.client
    site.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example")
    // User-Agent: Notes/2.1 (https://notes.example) Cumulus/0.1
    site.headers.set(42, for: "X-Build")  // any value that describes itself
    // snippet.end
}
