// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusFormats
import CumulusOAuth
import CumulusTesting
import Dispatch
import Foundation
import Logging

struct Thumbnail: Sendable {
    let size: Int
    init(_ data: Data) { size = data.count }
}

struct DocumentCoder: BodyCoder {
    var mediaType: MediaType { .xml }

    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        ByteChunk("<document>\(value)</document>")
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value {
        try JSON.string(try bytes.withUnsafeBytes { try XML(parsing: $0) }.text).decode(as: type)
    }
}

struct TokenProvider: Authorizer {
    let token: Secret<String>

    func authorize(_ request: inout EncodedRequest) async throws {
        request.headers[.authorization] = "MyScheme \(token.revealed)"
    }

    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition { .giveUp }
}

struct NotAllowed: Error {}

func callsCreatingResources(posts: Resource, uploads: Resource) async throws {
    let site = Resource("http://example.com")
    func withoutWaiting() {
        site.call(.get).start { result in print(result) }
    }
    withoutWaiting()
    _ = try await site.get().isSuccessful
    _ = try await site.get().status == .ok
    site.setRules {
        $0.contentType = .json
        $0.timeout = .seconds(20)
        $0.maxConcurrentRequests = 10
        $0.headers["X-MyCustomHeader"] = "foo"
        $0.query = ["TOKEN": "abc"]
    }
    _ = site["users"]
    _ = site[1]
    _ = site["users/\(123)"]
    _ = site.child(format: "users/%@", 123)
    uploads.setRules { $0.timeout = .seconds(60) }
    _ = try await site["accounts/abc123"].get()
}

func callsThatBlock(posts: Resource) throws {
    _ = try posts.call(.get).wait()
}

func callsSimpleRequests(posts: Resource, account: Resource, user: Resource) async throws {
    _ = try await posts.get()
    _ = try await posts.get(as: [Post].self)
    _ = try await posts.get().content
    let mapping: @MainActor @Sendable (Result<Post, any Error>) -> Void = { result in print(result) }
    user.call(.get, as: Post.self).start(mapping)
    func withoutWaiting() {
        posts.call(.get, as: [Post].self).start { result in print(result) }
    }
    withoutWaiting()
    _ = try await account.post(["username": "me", "password": "test"])
    _ = try await account.put(body: Post(title: "Clouds"))
    _ = try await posts.get(query: ["foo": "bar", "date": "today"])
    _ = try await posts.get(query: ["foo": "bar"])
    _ = try await posts.get(query: ["foo": ["1", "2"]])
    _ = try await posts.get(query: ["offset": 10, "limit": 10])
}

func callsAuthorizationAndPreVerifying(site: Resource, secret: Secret<String>, isAuthorized: Bool) async throws {
    site.setRules { $0.credentials = Credentials(user: "foo", password: "bar") }
    print(site.authorizers)
    site.setRules {
        $0.authorizers.append(TokenProvider(token: secret))
        $0.authorizers.append(
            .oauth2(.clientCredentials(id: "atlas", secret: secret), tokens: "https://id.example.com/token")
        )
        $0.authorizers.append(.aws(.environment))
        $0.preflights.append { request in if !isAuthorized { throw NotAllowed() } }
    }
}

func callsProgressAndFiles(site: Resource, pictures: Resource, hero: Resource, fileURL: URL) async throws {
    pictures["abc123"].call(.get).start(onProgress: { print($0.fractionCompleted ?? 0) }) { print($0) }
    _ = try await site["bigImage.png"].download(to: .directory("/tmp"))
    _ = try await site["bigImage.png"].download(to: .temporary).url
    _ = try await site["huge_video.m4v"].download(to: .file("/tmp/video.m4v")) { print($0) }
    site.setRules {
        $0.chunks.maxConcurrent = 4
        $0.chunks.size = 1 << 20
        $0.cachesDirectory = "/var/tmp/atlas"
    }
    _ = try await site["data.tar"].download(to: .file("/tmp/data.tar"), options: DownloadOptions(resume: true))
    _ = try await site["data.tar"].download(to: .file("/tmp/head"), options: DownloadOptions(range: 0..<100_000))
    let upload = hero.call(.put, .file(fileURL)).start()
    for await event in upload.progress { print(event.fractionCompleted ?? 0) }
    _ = try await upload.value
}

func callsResults(site: Resource, posts: Resource, queue: DispatchQueue) async throws {
    posts[1].call(.get, as: Post.self).start(on: queue) { result in print(result) }
    let picture = site["pictures/abc123"].call(.get, as: Data.self).map { Thumbnail($0) }
    let size = picture.map { $0.size }
    print(try await picture.send(), size)
    site.setRules { $0.coders.register(DocumentCoder(), forMediaTypes: "application/xml") }
}

func callsOneOffRequestsLoggingDeadlocks(site: Resource, logger: Logger) async throws {
    _ = try await REST["http://example.com/products.php?action=list"].get()
    _ = try await REST["http://example.com/products.php?action=create"].post(body: Post(title: "Anvil"))
    _ = try await site.call(HTTPRequest(method: .get, url: "http://www.example.com/index")).send()
    site.setRules { $0.logger = logger }
}

func callsBeyondTheGuide(site: Resource, posts: Resource, id: CallID) async throws {
    print(posts.runningCalls)
    posts.runningCall(id)?.cancel()
    posts.cancelAll()
    let outcome = await RequestGroup().run { _ = try await posts.get() }
    let scope = RequestScope()
    print(outcome, scope)
    print(RequestActivity.count)
    site.setRules { $0.tracksRevisions = true }
    posts.setRules { $0.fixtures[.get] = .json([Post(title: "Clouds")]) }
    site.setRules { $0.fixtures["GET /posts/:id"] = .json(Post(title: "Clouds")) }
    _ = try await posts.get().status == .notFound
}
