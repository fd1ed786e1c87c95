// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import Synchronization
import Testing

/// Requests over sockets and with one import, written without reading the documentation.
@Suite(.timeLimit(.minutes(10))) struct GuessedFormsTests {
    struct Post: Codable, Sendable, Equatable { var id: Int }

    private func start(_ url: URL, _ told: @escaping @MainActor @Sendable (String) -> Void) {
        REST[url].call(.get).start { result in told("get \((try? result.get())?.statusCode ?? 0)") }
        REST[url].call(.get, as: Post.self).start { result in told("value \((try? result.get())?.id ?? 0)") }
        REST[url].call(.post, body: Post(id: 2)).start { result in told("post \((try? result.get())?.statusCode ?? 0)")
        }
    }

    @Test @MainActor func restTellsClosuresAndTakesURLs() async throws {
        try await withLoopbackServer { routes in
            routes.on(nil, "/post") { _ in .json(Post(id: 1)) }
        } _: { server in
            let url = try #require(URL(string: "\(server.url)/post"))
            let told = Mutex<[String]>([])
            let (stream, feed) = AsyncStream.makeStream(of: Void.self)
            start(url) { text in
                told.withLock { $0.append(text) }
                feed.yield()
            }
            var count = 0
            for await _ in stream {
                count += 1
                if count == 3 { break }
            }
            #expect(told.withLock { $0.sorted() } == ["get 200", "post 200", "value 1"])
            #expect(try await REST[url].get(as: Post.self) == Post(id: 1))
            #expect(try await Resource(url).get().headers["Content-Type"] == "application/json")
        }
    }

    @Test func theServersAnswersAreMadeAsFixturesAre() async throws {
        try await withLoopbackServer { routes in
            routes.get("/0") { _ in .json(Post(id: 1), status: .created, headers: ["X-Total": "3"]) }
            routes.get("/1") { _ in .json(["a": [1, "b"]] as JSON) }
            routes.get("/2") { _ in .json(#"{"a":1}"#) }
            routes.get("/3") { _ in .text("hi", headers: ["X-Total": "3"]) }
            routes.get("/4") { _ in .bytes([1, 2], type: .bytes) }
            routes.get("/5") { _ in .status(.noContent) }
        } _: { server in
            let site = Resource(server.url)
            var texts: [String] = []
            for number in 0..<6 {
                texts.append(String(decoding: try await site[number].get().data, as: UTF8.self))
            }
            #expect(texts == [#"{"id":1}"#, #"{"a":[1,"b"]}"#, #"{"a":1}"#, "hi", "\u{1}\u{2}", ""])
            let first = try await site[0].get()
            #expect(first.statusCode == 201)
            #expect(first.headers["x-total"] == "3")
        }
    }

    @Test func anIncomingBodyIsASequence() async throws {
        let count = Atomic(0)
        try await withLoopbackServer { routes in
            routes.onStream(.post, "/up") { _, body in
                for try await piece in body { count.add(piece.count, ordering: .relaxed) }
                return .status(.created)
            }
        } _: { server in
            let response = try await Resource(server.url)["up"].post(.bytes([UInt8](repeating: 1, count: 100_000)))
            #expect(response.statusCode == 201)
        }
        #expect(count.load(ordering: .relaxed) == 100_000)
    }

    @Test func aRawRequestStreamsBothWays() async throws {
        try await withLoopbackServer { routes in
            routes.onStream(.post, "/up") { _, body in
                .stream { writer in
                    for try await piece in body { try await writer.write(piece) }
                }
            }
        } _: { server in
            let (chunks, feed) = AsyncStream.makeStream(of: Data.self)
            for number in 0..<10 { feed.yield(Data("\(number)".utf8)) }
            feed.finish()
            let request = HTTPRequest(method: .post, url: "\(server.url)/up", headers: ["X-A": "1"])
            let answer = try await Resource(server.url).call(request, .raw(.stream(chunks))).stream()
            var text = ""
            for try await piece in answer { text += String(decoding: piece.data, as: UTF8.self) }
            #expect(text == "0123456789")
        }
    }
}
