// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes
import Synchronization

/// The tour's service: posts and users, with create, read, update and delete, pages, errors, and slow answers.
final class BlogService: Sendable {
    private struct Store {
        var posts: [Int: Post] = [
            1: Post(id: 1, title: "Clouds are made of water"),
            2: Post(id: 2, title: "Fair weather ahead"),
            3: Post(id: 3, title: "On anvils"),
        ]
        var nextID = 4
        var news = (text: "rain", version: 1)
    }

    private let store = Mutex(Store())

    func install(in routes: inout Routes) {
        installPosts(in: &routes)
        installUsers(in: &routes)
        routes.get("/slow") { _ in
            var answer = ServerResponse.text("at last")
            answer.delay = .seconds(30)
            return answer
        }
        routes.get("/old") { _ in .redirect(to: "/posts/1", status: .movedPermanently) }
        // The same server by another name is another origin.
        routes.get("/away") { request in
            let port = request.host.cut(atLast: ":")?.behind ?? "80"
            return .redirect(to: "http://localhost:\(port)/who")
        }
        routes.get("/who") { request in
            let proof = request.headers[.authorization]?.before(" ")
            return .text("\(request.host) was asked by \(proof.map(String.init) ?? "nobody")")
        }
        routes.get("/rain") { _ in
            .stream { writer in for drop in 1...5 { try await writer.write("drop \(drop)\n") } }
        }
        routes.get("/feed") { [self] _ in
            let posts = store.withLock { $0.posts.values.sorted { $0.id ?? 0 < $1.id ?? 0 } }
            let items = posts.map { XML.Node.element(XML("item", attributes: ["id": "\($0.id ?? 0)"], text: $0.title)) }
            let feed = try XML("feed", children: items).encoded()
            return ServerResponse(headers: [.contentType: "application/xml"], body: feed)
        }
        routes.onStream(.post, "/chat") { _, body in
            .stream { writer in for try await piece in body { try await writer.write(piece) } }
        }
        routes.get("/rain.ndjson") { _ in
            .stream { writer in for drop in 1...5 { try await writer.write("{\"id\":\(drop),\"title\":\"drop\"}\n") } }
        }
        routes.on(nil, "/echo") { request in
            ServerResponse(headers: [.contentType: request.headers[.contentType] ?? "text/plain"], body: request.body)
        }
        // What came compressed goes back so.
        routes.post("/packed") { request in
            let coding = request.headers[.contentEncoding].map { Headers(["Content-Encoding": $0]) } ?? [:]
            return ServerResponse(headers: coding, body: request.body)
        }
        installForms(in: &routes)
        installNews(in: &routes)
        routes.get("/pages/:number") { request in
            let number = Int(request.parameters["number"] ?? "") ?? 1
            return .text("page \(number)", headers: number < 3 ? ["Link": "<\(number + 1)>; rel=\"next\""] : [:])
        }
        routes.get("/openapi.json") { _ in .json(BlogService.document) }
        routes.get("/search") { request in .text(request.query ?? "") }
    }

    /// What the service says of itself.
    private static let document = """
        {"openapi": "3.1.0", "info": {"title": "Blog"}, "paths": {
          "/posts": {"get": {"operationId": "list_posts", "parameters": [
            {"name": "limit", "in": "query", "schema": {"type": "integer"}},
            {"name": "offset", "in": "query", "schema": {"type": "integer"}}]}},
          "/posts/{id}": {"get": {"operationId": "get_post", "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
            {"$ref": "common.json#/parameters/trace"}]}}}}
        """

    /// Bodies in parts, errors in bodies, and data of another shape.
    private func installForms(in routes: inout Routes) {
        routes.post("/photos") { request in
            let type = request.headers[.contentType].flatMap { MediaType(parsing: $0) }
            guard type?.essence.begins(with: "multipart/") == true else { return .text("\(request.body.count) bytes") }
            let parts = try ReceivedPart.parts(of: ByteChunk(request.body), type)
            let shown = parts.map { part in
                let file = part.fileName.map { ", the file \($0) (\(part.mediaType?.essence ?? "text"))" } ?? ""
                return "\(part.name ?? "")\(file): \(part.bytes.count) bytes"
            }
            return .text(shown.joined(separator: "\n"))
        }
        routes.get("/batch") { _ in
            let parts = ["{\"id\":1}", "{\"id\":2}"].map { "--b\r\nContent-Type: application/json\r\n\r\n\($0)\r\n" }
            return ServerResponse(
                headers: [.contentType: "multipart/mixed; boundary=b"],
                body: Array((parts.joined() + "--b--\r\n").utf8)
            )
        }
        routes.post("/login") { _ in .json(#"{"error":"wrong_password","message":"Try again"}"#) }
        routes.get("/credit") { _ in
            let problem = #"{"title":"Not enough credit","detail":"It costs 50, you have 30.","balance":30}"#
            return ServerResponse(
                .forbidden,
                headers: [.contentType: "application/problem+json"],
                body: Array(problem.utf8)
            )
        }
        routes.get("/legacy/ada") { _ in
            .json(#"{"user":{"names":["Ada","Lovelace"],"created_at":"2026-11-21T10:00:00Z"}}"#)
        }
    }

    private func installPosts(in routes: inout Routes) {
        routes.get("/posts") { [self] request in
            let offset = request.queryValue("offset").flatMap { Int($0) } ?? 0
            let limit = request.queryValue("limit").flatMap { Int($0) } ?? 10
            let all = store.withLock { $0.posts.values.sorted { $0.id ?? 0 < $1.id ?? 0 } }
            return try .json(all.dropFirst(offset).prefix(limit).map { $0 })
        }
        routes.get("/posts/newest") { [self] _ in
            let newest = store.withLock { $0.posts.values.max { $0.id ?? 0 < $1.id ?? 0 } }
            return try newest.map { try .json($0) } ?? .problem("no posts", .notFound)
        }
        routes.get("/drafts") { _ in .json("[]") }
        routes.get("/posts/:id") { [self] request in
            guard let post = store.withLock({ $0.posts[request.id] }) else {
                return .problem("no such post", .notFound)
            }
            return try .json(post)
        }
        routes.post("/posts") { [self] request in
            var post = try JSON(parsing: request.body).decode(as: Post.self)
            guard !post.title.isEmpty else { return .problem("a post needs a title", .unprocessableContent) }
            store.withLock { store in
                post.id = store.nextID
                store.posts[store.nextID] = post
                store.nextID += 1
            }
            return try .json(post, status: .created)
        }
        routes.put("/posts/:id") { [self] request in
            var post = try JSON(parsing: request.body).decode(as: Post.self)
            post.id = request.id
            store.withLock { $0.posts[request.id] = post }
            return try .json(post)
        }
        routes.delete("/posts/:id") { [self] request in
            let known = store.withLock { $0.posts.removeValue(forKey: request.id) != nil }
            return known ? ServerResponse(.noContent) : .problem("no such post", .notFound)
        }
    }

    /// A text with an entity tag, which answers 304 and 412 as HTTP has it.
    private func installNews(in routes: inout Routes) {
        routes.get("/news") { [self] request in
            let (text, version) = store.withLock(\.news)
            let tag = "\"v\(version)\""
            let isKnown = request.headers[.ifNoneMatch] == tag
            return ServerResponse(
                isKnown ? .notModified : .ok,
                headers: [.eTag: tag],
                body: isKnown ? [] : Array(text.utf8)
            )
        }
        routes.put("/news") { [self] request in
            let isCurrent = store.withLock { store in
                guard request.headers[.ifMatch] == "\"v\(store.news.version)\"" else { return false }
                store.news = (request.text, store.news.version + 1)
                return true
            }
            return ServerResponse(isCurrent ? .noContent : .preconditionFailed)
        }
    }

    private func installUsers(in routes: inout Routes) {
        routes.get("/me") { request in
            guard request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl" else {
                return .problem("log in first", .unauthorized)
            }
            return .json(#"{"name":"Ada","admin":true}"#)
        }
        routes.get("/users/:name/posts") { request in .json("[\"\(request.parameters["name"] ?? "")\"]") }
    }
}

/// A post of the blog.
struct Post: Codable, Sendable {
    var id: Int?
    var title: String
}

extension ServerRequest {
    fileprivate var id: Int { parameters["id"].flatMap { Int($0) } ?? 0 }

    fileprivate var host: String { HTTPField.Name("Host").flatMap { headers[$0] } ?? "" }
}

extension ServerResponse {
    fileprivate static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> ServerResponse {
        .json(try JSON(encoding: value).description, status: status)
    }

    fileprivate static func problem(_ title: String, _ status: HTTPResponse.Status) -> ServerResponse {
        .json(#"{"title":"\#(title)"}"#, status: status)
    }
}
