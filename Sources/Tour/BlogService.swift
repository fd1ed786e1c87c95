// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Synchronization

/// A post of the blog.
struct Post: Codable, Sendable {
    var id: Int?
    var title: String
}

/// The tour's blog: posts with create, read, update and delete, lists in pages, errors, and answers that take their time.
final class BlogService: Sendable {
    private struct Store {
        var posts: [Int: Post] = [
            1: Post(id: 1, title: "Clouds are made of water"),
            2: Post(id: 2, title: "Fair weather ahead"),
            3: Post(id: 3, title: "On anvils"),
        ]
        var nextID = 4
        var refusals: [String: Int] = [:]
    }

    private static let books = ["Anvils", "Breezes", "Clouds", "Dew", "Echoes", "Fog", "Gales"]

    /// What the service says of itself.
    private static let document = """
        {"openapi": "3.1.0", "info": {"title": "Blog"}, "paths": {
          "/posts": {"get": {"operationId": "list_posts", "parameters": [
            {"name": "limit", "in": "query", "schema": {"type": "integer"}}]}},
          "/posts/{id}": {"get": {"operationId": "get_post", "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}}}}
        """

    private let store = Mutex(Store())

    func install(in routes: inout Routes) {
        installPosts(in: &routes)
        installLists(in: &routes)
        installTroubles(in: &routes)
        routes.get("/users/:name/posts") { request in .json(["by": request.parameters["name"]]) }
        routes.get("/search") { request in .text(request.query ?? "") }
        routes.post("/echo") { request in .json(request.text) }
        routes.get("/openapi.json") { _ in .json(BlogService.document) }
        routes.get("/drops") { _ in
            .stream(headers: [.contentType: "application/x-ndjson"]) { writer in
                for drop in 1...5 { try await writer.write("{\"id\":\(drop),\"title\":\"drop\"}\n") }
            }
        }
    }

    private func installPosts(in routes: inout Routes) {
        routes.get("/posts") { [self] request in
            let offset = request.queryValue("offset").flatMap { Int($0) } ?? 0
            let limit = request.queryValue("limit").flatMap { Int($0) } ?? 10
            let all = store.withLock { $0.posts.values.sorted { $0.id ?? 0 < $1.id ?? 0 } }
            return .json(Array(all.dropFirst(offset).prefix(limit)))
        }
        routes.get("/posts/:id") { [self] request in
            guard let post = store.withLock({ $0.posts[request.id] }) else {
                return .json(["title": "no such post"], status: .notFound)
            }
            return .json(post)
        }
        routes.post("/posts") { [self] request in
            var post = try JSON(parsing: request.body).decode(as: Post.self)
            store.withLock { store in
                post.id = store.nextID
                store.posts[store.nextID] = post
                store.nextID += 1
            }
            return .json(post, status: .created)
        }
        routes.put("/posts/:id") { [self] request in
            var post = try JSON(parsing: request.body).decode(as: Post.self)
            post.id = request.id
            store.withLock { $0.posts[request.id] = post }
            return .json(post)
        }
        routes.delete("/posts/:id") { [self] request in
            let isKnown = store.withLock { $0.posts.removeValue(forKey: request.id) != nil }
            return .status(isKnown ? .noContent : .notFound)
        }
    }

    /// The same books twice: in pages that name the next one by a link, and by a cursor in the body.
    private func installLists(in routes: inout Routes) {
        routes.get("/books") { request in
            let page = request.queryValue("page").flatMap { Int($0) } ?? 1
            let link = "</books?page=\(page + 1)>; rel=\"next\""
            return .json(BlogService.books(from: (page - 1) * 3), headers: page < 3 ? ["Link": "\(link)"] : [:])
        }
        routes.get("/shelf") { request in
            let start = request.queryValue("after").flatMap { Int($0) } ?? 0
            let next: JSON = start + 3 < BlogService.books.count ? .number(.init(start + 3)) : nil
            return .json(["books": BlogService.books(from: start), "meta": ["cursor": next]] as JSON)
        }
    }

    private static func books(from start: Int) -> JSON {
        .array(books.dropFirst(max(0, start)).prefix(3).map { ["id": nil, "title": .string($0)] })
    }

    /// A refusal that explains itself, a response that never comes, and a shop that is busy twice for each new order.
    private func installTroubles(in routes: inout Routes) {
        routes.get("/credit") { _ in
            .json(
                ["title": "Not enough credit", "detail": "It costs 50, you have 30.", "balance": 30],
                status: .forbidden,
                headers: [.contentType: "application/problem+json"]
            )
        }
        routes.get("/slow") { _ in .silence }
        routes.on(nil, "/orders/:id") { [self] request in
            let order = "\(request.method) \(request.path) \(request.headers["Idempotency-Key"] ?? "")"
            let count = store.withLock { store in
                store.refusals[order, default: 0] += 1
                return store.refusals[order] ?? 1
            }
            if count > 2 { return .text("done") }
            // A 503 with a time says that the request was refused; after a 502 that is unknown.
            return request.method == .post
                ? .status(.badGateway) : .status(.serviceUnavailable, headers: ["Retry-After-Ms": "20"])
        }
    }
}

extension ServerRequest {
    fileprivate var id: Int { parameters["id"].flatMap { Int($0) } ?? 0 }
}
