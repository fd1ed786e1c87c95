// SPDX-License-Identifier: Apache-2.0

import Cumulus

func inheritance(language: String) {
    // snippet.inherit
    let site = Resource("https://api.example.com") {  // the rules of the root
        $0.timeout = .seconds(20)
        $0.headers["X-Client"] = "Atlas"
    }
    let posts = site["posts"]  // inherits them
    site["posts/uploads"].setRules { $0.timeout = .seconds(60) }  // the rules of a place; it needs no variable
    site.setRules { $0.query["lang"] = language }  // also applies to the next request of posts

    let patient = posts.with { $0.timeout = .seconds(90) }  // a copy with its own setting
    print(patient["uploads"].timeout ?? .zero)  // 90 seconds: a copy's setting beats every rule
    print(posts["uploads"].timeout ?? .zero)  // 60 seconds: posts itself is unchanged
    // snippet.end

    // snippet.forget
    let uploads = posts["uploads"]
    uploads.setRules { $0.inherit(\.timeout) }  // 20 seconds again
    uploads.setRules { $0.headers["X-Client"] = nil }  // masks the inherited field: it is not sent
    uploads.setRules { $0.headers.inherit("X-Client") }  // "Atlas" again
    // snippet.end

    // snippet.explain
    print(uploads.explain(\.timeout))
    // snippet.end
}

func several(posts: Resource) async throws {
    // snippet.with
    let slow = try await posts.with { $0.timeout = nil }["report"].get()  // for one call
    // snippet.end
    _ = slow
}

// snippet.users
/// A service that a server calls, with rules that are set when the program starts.
struct Feed: Sendable {
    let api: Resource

    init(serviceToken: Secret<String>) {
        api = Resource("https://api.example.com") {
            $0.authorizers = [.bearer(serviceToken)]
            $0.maxConcurrentRequests = 64
        }
    }

    /// In a handler, use `with`, so that users never share credentials.
    func posts(of user: Secret<String>?) async throws -> [String] {
        let mine = api.with {
            // Replacing: the service's token is never sent for a user, even if the user has none.
            $0.authorizers = .replacing(user.map { [.bearer($0)] } ?? [])
        }
        return try await mine["posts"].get(as: [String].self)
    }
}
// snippet.end

func login(site: Resource, password: Secret<String>) {
    // snippet.login
    site.setRules { $0.credentials = Credentials(user: "ada", password: password) }  // all later requests send it
    // snippet.end
}

func lists(site: Resource, quiet: Resource) {
    // snippet.lists
    site.setRules {
        $0.validators.append { response in
            if response.header("X-Maintenance") != nil { throw Maintenance() }
        }
    }
    quiet.setRules { $0.validators = .replacing([]) }  // removes the inherited ones
    // snippet.end
}

struct Maintenance: Error {}

// snippet.own
enum RegionKey: SettingKey {
    static var defaultValue: String { "eu" }
}

extension Resource.Settings {
    var region: String {
        get { self[key: RegionKey.self] }
        set { self[key: RegionKey.self] = newValue }
    }
}
// snippet.end

// snippet.own-rules
typealias Sign = @Sendable (String) async throws -> String

/// A function has no description, so `explain` uses this one.
enum SignKey: SettingKey {
    static var defaultValue: Sign? { nil }
    static func describe(_ value: Sign?) -> String { value == nil ? "none" : "a signature" }
}

/// Labels for your own statistics: a child adds to its parent's, and no server sees them.
enum LabelsKey: SettingKey {
    static var defaultValue: Set<String> { [] }
    static func combine(inherited: Set<String>, own: Set<String>) -> Set<String> { inherited.union(own) }
    static var crossesOrigins: Bool { true }
}
// snippet.end

// snippet.own-list
struct Tag: Sendable { var name: String }

enum TagsKey: ListSettingKey {
    typealias Element = Tag
}

extension Resource.Settings {
    var tags: SettingList<Tag> {
        get { self[key: TagsKey.self] }
        set { self[key: TagsKey.self] = newValue }
    }
}
// snippet.end

extension Resource.Settings {
    var sign: Sign? {
        get { self[key: SignKey.self] }
        set { self[key: SignKey.self] = newValue }
    }
    var labels: Set<String> {
        get { self[key: LabelsKey.self] }
        set { self[key: LabelsKey.self] = newValue }
    }
}

func ownSetting(site: Resource) {
    // snippet.own-use
    site.setRules { $0.region = "us" }
    print(site["posts"].region)  // us
    print(site["posts"].explain(\.region))
    // snippet.end

    // snippet.own-list-use
    site.setRules { $0.tags.append(Tag(name: "beta")) }
    site["posts"].setRules { $0.tags.append(Tag(name: "public")) }
    print(site["posts"].tags.map(\.name))  // ["beta", "public"]
    // snippet.end
}

func client(_ site: Resource) {
    // snippet.client
    site.setRules { $0.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example") }
    // User-Agent: Notes/2.1 (https://notes.example) Cumulus/0.1
    site.setRules { $0.headers.set(42, for: "X-Build") }  // any value that describes itself
    // snippet.end
}
