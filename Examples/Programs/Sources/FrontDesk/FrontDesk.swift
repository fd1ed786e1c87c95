// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusLifecycle
import CumulusTelemetry
import HTTPTypes
public import Hummingbird
public import ServiceLifecycle

/// A handler's response: Cumulus has a `Response` too, and without this line the name is ambiguous.
typealias Response = Hummingbird.Response

/// A server that queries two others: one knows a person's name, the other one the titles of what they wrote.
public struct FrontDesk: Sendable {
    /// The body of a response.
    public struct Page: ResponseCodable, Sendable, Equatable {
        /// The person's name.
        public var name: String
        /// The titles of what they wrote.
        public var titles: [String]
        /// Whether the titles are missing, because their service failed.
        public var isShort: Bool
    }

    private struct Person: Decodable, Sendable { var name: String }

    private let users: Resource
    private let posts: Resource

    // snippet.services
    /// The clients of both services.
    ///
    /// `Application` adds its server after them, and a group shuts down in reverse order, so the server ends first.
    public let services: [any Service]

    /// Creates a server that queries two services, each with its own tree.
    ///
    /// `endTransport` shuts down the transport that both share.
    public init(users: Resource, posts: Resource, endTransport: @escaping @Sendable () async -> Void = {}) {
        self.users = users
        self.posts = posts
        // The tree that is listed first ends last, and then the transport.
        services = [ClientService(users, endTransport: endTransport), ClientService(posts)]
        users.setRules {
            $0.telemetry()
            $0.deadline = .seconds(2)  // for a call, including its retries
            $0.retry = RetryPolicy(limit: 2, backoff: RetryBackoff(base: .milliseconds(50)))
            $0.maxConcurrentRequests = 64
        }
        posts.setRules {
            $0.telemetry()
            $0.deadline = .milliseconds(800)
            $0.maxConcurrentRequests = 64
        }
    }
    // snippet.end

    // snippet.router
    /// The routes.
    public func router() -> Router<BasicRequestContext> {
        let router = Router()
        // Continues the incoming request's trace: the spans of outgoing requests are children of its span.
        router.add(middleware: TracingMiddleware())
        router.get("health") { _, _ in Response(status: .noContent) }
        router.get("people/:id") { request, context in
            let id = try context.parameters.require("id")
            let caller = Caller(request, context)
            return try await page(of: id, users: caller.copy(of: users), posts: caller.copy(of: posts))
        }
        return router
    }
    // snippet.end

    /// Queries both services at once.
    ///
    /// Without the titles, the page is short. Without the person, the request fails.
    func page(of id: String, users: Resource, posts: Resource) async throws -> Page {
        async let titles = try? posts["posts"].get(as: [String].self, query: ["author": id])
        do {
            let person = try await users["users/\(id)"].get(as: Person.self)
            let found = await titles
            return Page(name: person.name, titles: found ?? [], isShort: found == nil)
        } catch let error as CumulusError {
            throw HTTPError(Self.status(for: error))
        }
    }

    /// The status for our own caller.
    private static func status(for error: CumulusError) -> HTTPResponse.Status {
        switch error.code {
        case .status where error.statusCode == 404: .notFound
        case .timeout: .gatewayTimeout
        default: .badGateway
        }
    }
}
