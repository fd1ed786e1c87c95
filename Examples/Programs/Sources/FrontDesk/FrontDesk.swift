// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import Hummingbird
import Logging

/// A handler's: Cumulus has a `Response`, too, and without this neither is found.
typealias Response = Hummingbird.Response

/// A server that answers by asking two others: who somebody is, and what they have written.
public struct FrontDesk: Sendable {
    /// What it answers.
    public struct Page: ResponseCodable, Sendable, Equatable {
        /// The person's name.
        public var name: String
        /// The titles of what they wrote.
        public var titles: [String]
        /// Whether the titles were left out, because their service did not answer.
        public var isShort: Bool
    }

    private struct Person: Decodable, Sendable { var name: String }

    private let users: Resource
    private let posts: Resource

    /// Makes one over the places of both services.
    public init(users: Resource, posts: Resource) {
        self.users = users
        self.posts = posts
        users.setRules {
            $0.deadline = .seconds(2)  // the whole call, retries included
            $0.retry = RetryPolicy(limit: 2, backoff: RetryBackoff(base: .milliseconds(50)))
            $0.maxConcurrentRequests = 64
        }
        posts.setRules {
            $0.deadline = .milliseconds(800)
            $0.maxConcurrentRequests = 64
        }
    }

    /// The routes.
    public func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in Response(status: .noContent) }
        router.get("people/:id") { _, context in
            let id = try context.parameters.require("id")
            return try await page(of: id, logger: context.logger)
        }
        return router
    }

    /// Asks both at once; without the titles the page is short, without the person there is none.
    func page(of id: String, logger: Logger) async throws -> Page {
        let (users, posts) = (users.with { $0.logger = logger }, posts.with { $0.logger = logger })
        async let titles = try? posts["posts"].get(as: [String].self, query: ["author": id])
        do {
            let person = try await users["users/\(id)"].get(as: Person.self)
            let found = await titles
            return Page(name: person.name, titles: found ?? [], isShort: found == nil)
        } catch let error as CumulusError {
            throw HTTPError(Self.status(for: error))
        }
    }

    /// What our own caller is told.
    private static func status(for error: CumulusError) -> HTTPResponse.Status {
        switch error.code {
        case .status where error.statusCode == 404: .notFound
        case .timeout: .gatewayTimeout
        default: .badGateway
        }
    }
}
