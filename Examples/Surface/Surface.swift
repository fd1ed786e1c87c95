// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Observation

struct Post: Codable, Sendable, Hashable {
    var id: Int?
    var title: String
}

// MARK: The README's first screen

/// Places, verbs, calls and rules in the order in which a newcomer meets them.
///
/// - Returns: What the calls gave.
func firstScreen(
    of site: Resource,
    name: String,
    file path: String,
    show: @escaping @MainActor @Sendable (Result<[Post], any Error>) -> Void
) async throws -> [String] {
    let posts = site["posts"]  // children inherit
    let one = posts[42]
    let repos = site["users/\(name)/repos"]  // a value can't leave its segment
    let slow = posts.with { $0.timeout = .seconds(60) }  // a copy with settings of its own

    // If you ask for a type, a bad status throws.
    let page = try await posts.get(as: [Post].self, query: ["offset": 10, "limit": 10])
    let created = try await posts.post(body: Post(title: "Clouds"), as: Post.self)
    let tagged = try await posts.post(["title": "x" + name, "n": page.count * 2 + 1], as: Post.self)

    // If you ask for the response, you judge the status.
    let response = try await one.get()
    let isMissing = response.status == 404
    try await one.delete().requireSuccess()
    try await site["login"].post(.form(["user": name, "again": true])).requireSuccess()
    try await site["photos/cat.png"].put(.file(path)).requireSuccess()

    // A call is a value.
    var next = posts.call(.get, as: [Post].self, query: ["page": 1])
    next.query["page"] = 2
    let second = try await next.send()
    let command = try await next.curl()
    let running = next.start { result in show(result) }  // on the main actor
    _ = try await running.value

    // Rules are live: for every value at or below the place.
    site.setRules { $0.credentials = Credentials(user: "ada", password: "p") }  // a login that comes later
    site["audit"].setRules {  // a place needs no variable
        $0.retry = .never
        $0.rateLimit = .requests(5, per: .seconds(1))
    }
    let limited = site["audit"].explain(\.rateLimit).value
    site["audit"].setRules {  // forgotten
        $0.inherit(\.retry)
        $0.inherit(\.rateLimit)
    }
    var lines = 0
    for try await _ in try await site["log"].call(.get).stream().lines { lines += 1 }
    var listed = 0
    for try await _ in site["posts"].pages(of: Post.self) { listed += 1 }
    return [
        "\(page.count)", created.title, tagged.title, "\(isMissing)", "\(second.count)", command, limited, "\(lines)",
        "\(listed)", repos.urlString ?? "", "\(slow.timeout ?? .zero)", site["audit"].explain(\.rateLimit).value,
    ]
}

// MARK: A server with a user for each request

struct Account: Sendable {
    var token: Secret<String>
    var jar: CookieJar
}

/// Overrides, so that two users' credentials never meet.
struct FeedRoute: Sendable {
    let api: Resource

    func feed(of account: Account) async throws -> [Post] {
        let mine = api.with {
            $0.authorizers = [.bearer(account.token)]
            $0.cookies = account.jar
            $0.deadline = .seconds(5)
        }
        async let posts = mine["posts"].get(as: [Post].self)
        async let drafts = mine["drafts"].get(as: [Post].self)
        return try await posts + drafts
    }

    func many(_ accounts: [Account]) async throws -> Int {
        try await withThrowingTaskGroup(of: [Post].self) { group in
            for account in accounts { group.addTask { try await feed(of: account) } }
            return try await group.reduce(0) { $0 + $1.count }
        }
    }
}

// MARK: A view model that holds a running call

@MainActor @Observable final class Feed {
    private(set) var posts: [Post] = []
    private(set) var fraction: Double?
    private(set) var failure: (any Error)?
    private var running: RunningCall<[Post]>?
    private let all: Call<[Post]>

    init(_ site: Resource) { all = site["posts"].call(.get, as: [Post].self) }

    /// A newer search replaces the older one.
    func search(_ text: String) async throws {
        var call = all
        call.query["q"] = text
        call.key = .replacing("search")
        posts = try await call.send()
    }

    func reload() {
        running?.cancel(.silent)
        running = all.start(onProgress: { [weak self] in self?.fraction = $0.fractionCompleted }) {
            [weak self] result in
            switch result {
            case .success(let posts): self?.posts = posts
            case .failure(let error): self?.failure = error
            }
        }
    }

    /// What ``reload()`` started.
    func reloaded() async throws { _ = try await running?.value }

    func refresh() async { do { posts = try await all.send() } catch { failure = error } }
}

// MARK: An SDK over it

struct Issue: Codable, Sendable { var title: String }
struct Search<Item: Codable & Sendable>: Codable, Sendable { var items: [Item] }

struct Forge: Sendable {
    let api: Resource

    init(transport: any Transport) {
        api = Resource("https://api.forge.example", transport: transport) {
            $0.headers["Accept"] = "application/vnd.forge+json"
        }
    }

    private init(api: Resource) { self.api = api }

    func authorized(by token: Secret<String>) -> Forge { Forge(api: api.with { $0.authorizers = [.bearer(token)] }) }

    func issues(_ owner: String, _ repo: String, state: String? = nil) -> Call<[Issue]> {
        api["repos/\(owner)/\(repo)/issues"].call(.get, as: [Issue].self, query: ["state": state])
    }

    func search(_ text: String) -> Call<[Issue]> {
        api["search/issues"].call(.get, as: Search<Issue>.self, query: ["q": text]).map(\.items)
    }

    func create(_ issue: Issue, in repo: String) -> Call<Issue> {
        api["repos"][path: repo]["issues"].call(.post, body: issue, as: Issue.self)
    }
}

// MARK: A setting of one's own, hooks, and settings that several trees share

enum RegionKey: SettingKey { static var defaultValue: String { "eu" } }

extension Resource.Settings {
    var region: String {
        get { self[key: RegionKey.self] }
        set { self[key: RegionKey.self] = newValue }
    }
}

struct Tracer: Sendable {
    func intercept(_ request: EncodedRequest, _ next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        request.headers["X-Trace"] = "1"
        return try await next(request)
    }
}

struct Maintenance: Error {}

func atlas(_ settings: inout Resource.Settings) { settings.region = "us" }

func house(_ site: Resource, tracer: Tracer) {
    site.setRules {
        atlas(&$0.settings)
        $0.interceptors.append(tracer.intercept)
        $0.interceptors.append { request, next in
            var request = request
            request.headers["X-Region"] = "us"
            return try await next(request)
        }
        $0.validators.append { response in if response.text == "maintenance" { throw Maintenance() } }
    }
}
