// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

struct Draft: Codable, Sendable {
    var title: String
}

func verbs(post: Resource) async throws {
    // snippet.verbs
    let response = try await post.get()  // Response, whatever its status
    let draft = try await post.get(as: Draft.self)  // your type, or an error
    try await post.put(body: draft, as: Void.self)  // success only
    try await post.delete().requireSuccess()  // the same, checked afterwards
    let allowed = try await post.options().header("Allow")
    let fresh = try await post.call(.trace).send()  // any method
    // snippet.end
    _ = (response, allowed, fresh)
}

func payloads(posts: Resource, picture: [UInt8]) async throws {
    // snippet.payloads
    let asJSON = try await posts.post(body: Draft(title: "Clouds"))  // an Encodable value
    let asLiteral = try await posts.post(["title": "Clouds", "stars": 3, "tags": ["sky"]])  // types may differ
    let asForm = try await posts.post(.form(["title": "Clouds", "tags": ["sky", "rain"]]))
    let asText = try await posts.post(.text("Clouds"))
    let asBytes = try await posts.post(.bytes(picture, type: .png))
    let asNamed = try await posts.post(.value(Draft(title: "Clouds"), as: "application/vnd.blog+json"))
    // snippet.end
    let name: String? = "Ada"
    // snippet.nested
    let nested = try await posts.post(["user": ["name": JSON(name), "n": 1] as JSON])
    let ordered = try await posts.post(["b": "1", "a": "2"])  // a literal keeps its order
    // snippet.end
    _ = (nested, ordered)
    _ = (asJSON, asLiteral, asForm, asText, asBytes, asNamed)
}

func toldByClosures(posts: Resource, picture: [UInt8]) async throws {
    // snippet.callbacks
    let running = posts.call(.get, as: [Draft].self).start { result in  // on the main actor
        if case .success(let drafts) = result { print(drafts.count) }
    }
    print(running.isFinished)
    // snippet.end
}

func pages(posts: Resource) async throws {
    // snippet.links
    var page = try await posts.get()
    while let next = page.links["next"] {  // Link: </posts?page=2>; rel="next"
        page = try await posts.follow(next).get()
    }
    // snippet.end
}

func uploads(site: Resource, chunks: AsyncStream<[UInt8]>) async throws {
    // snippet.uploads
    let sent = try await site["upload"].put(.stream(chunks, type: "video/mp4"))
    let part = FileBody(path: "/tmp/clouds.bin", offset: 0, length: 4096)
    let file = try await site["upload"].put(.body(.file(part)))
    // snippet.end
    _ = (sent, file)
}

func fields(post: Resource) async throws {
    // snippet.fields
    let response = try await post.get()
    if response.status == .teapot || response.status.isServerError { return }
    print(response.etag ?? "", response.lastModified ?? .distantPast, response.expectedContentLength ?? 0)
    print(response.contentRange?.range ?? 0...0, response.totalContentLength ?? 0, response.isComplete)
    // snippet.end
}

func streamTwice(site: Resource, chunks: AsyncStream<[UInt8]>) async throws {
    // snippet.sent-already
    do {
        try await site["upload"].put(.stream(chunks, type: "video/mp4")).requireSuccess()
    } catch let error as CumulusError where error.cause is BodyAlreadySent {
        print("make a new stream, and call again: \(error)")  // its code is .requestBody
    }
    // snippet.end
}

func queries(site: Resource) async throws {
    // snippet.query
    site.setRules { $0.query["lang"] = "en" }
    let found = try await site["search"].get(query: ["q": "high clouds", "tags": [1, 2], "page": ["size": 10]])
    print(found.request.target)
    // /search?lang=en&q=high%20clouds&tags%5B%5D=1&tags%5B%5D=2&page%5Bsize%5D=10

    site.setRules { $0.queryStyle = QueryStyle(arrays: .repeated) }  // tags=1&tags=2
    // snippet.end
}

// snippet.query-encodable
struct Period: QueryEncodable {
    var from: Int
    var to: Int

    var queryValue: QueryValue { .text("\(from)..\(to)") }
}
// snippet.end

func ownQueryValue(site: Resource) async throws {
    // snippet.query-own
    enum Order: String, QueryEncodable { case newest, oldest }  // a raw value needs no code
    let newest = try await site["search"].get(query: ["order": Order.newest])
    let items: [String: String] = ["q": "clouds"]
    let found = try await site["search"].get(query: Query(items))
    let years = try await site["search"].get(query: ["years": Period(from: 1990, to: 1999)])  // years=1990..1999
    // snippet.end
    _ = (newest, found, years)
}

func responses(post: Resource) async throws {
    // snippet.response
    let response = try await post.get()
    print(response.statusCode, response.isSuccessful, response.headers["ETag"] ?? "")
    print(response.text ?? "", response.data.count)
    print(try response.json()["title"].string ?? "")
    print(response.history.count, response.elapsed, response.facts.isReused)
    // snippet.end
}

func codings(site: Resource) async throws {
    // snippet.codings
    let report = try await site["report"].get()
    print(report.bytes.count, report.receivedHeaders[.contentEncoding] ?? "not coded")

    let archive = site["archive"]
    archive.setRules { $0.contentCodings = [] }  // as received, and none requested
    // snippet.end
}

func streaming(site: Resource) async throws {
    // snippet.bytes
    let stream = try await site["log"].call(.get).stream()  // throws for a bad status
    print(stream.headers, stream.expectedLength ?? -1)
    for try await chunk in stream {  // the server is held back while you work
        print(chunk.count)
    }
    // snippet.end
}

struct ChatError: Decodable, Error {
    var message: String
}

func streamedDocuments(site: Resource) async throws {
    // snippet.accepting
    let lines = try await site["log"].call(.get).stream(accepting: "application/x-ndjson")  // throws for another type
    let answer = try await site["chat"].call(.post, ["text": "hello"]).stream()
    if answer.mediaType?.isJSON == true { throw try await answer.collect().decode(as: ChatError.self) }
    // snippet.end
    lines.cancel()
}

func general() async throws {
    // snippet.rest
    let page = try await REST["http://example.com/products?action=list"].get()
    let made = try await REST["http://example.com/products"].post(.form(["name": "Anvil"]))
    // snippet.end
    _ = (page, made)

    // snippet.rest-settings
    REST.setRules {  // for all one-off calls
        $0.timeout = .seconds(10)
        $0.maxConcurrentRequests = 8  // all of them together
    }
    let login = Credentials(user: "ada", password: "...")
    REST["https://api.example.com"].setRules { $0.credentials = login }  // for one server
    try await REST["https://api.example.com/data.tar"].download(to: .directory("/tmp"))
    // snippet.end
}

func cancelling(site: Resource) async throws {
    let task = Task { try await site["slow"].get() }
    task.cancel()
    do {
        _ = try await task.value
    } catch is CancellationError {
        print("cancelled; its connection is free again")
    }
}
