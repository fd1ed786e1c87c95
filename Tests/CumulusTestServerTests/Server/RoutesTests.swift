// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(10))) struct RoutesTests {
    @Test(arguments: [
        ("/posts", "/posts", [String: String]()),
        ("/posts/:id", "/posts/42", ["id": "42"]),
        ("/posts/:id", "/posts/a%2Fb", ["id": "a/b"]),
        ("/posts/:id/comments/:n", "/posts/1/comments/2", ["id": "1", "n": "2"]),
        ("/files/*", "/files/a/b%20c", ["*": "a/b c"]),
        ("/files/*", "/files/", ["*": ""]),
        ("*", "/anything/at/all", ["*": "anything/at/all"]),
        ("/caf%C3%A9", "/nope", nil),
        ("/café", "/caf%C3%A9", [:]),
        ("/posts/:id", "/posts", nil),
        ("/posts", "/posts/", nil),
        ("/posts", "/posts/1", nil),
    ])
    func matchesPatterns(pattern: String, path: String, parameters: [String: String]?) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get(pattern) { request in
                .text(
                    request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
                )
            }
        }) { server in
            let answer = try await RawClient.exchange(
                server.port,
                "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            guard let parameters else {
                #expect(answer.text.hasPrefix("HTTP/1.1 404 "))
                return
            }
            let expected = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
            #expect(answer.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.text.hasSuffix("\r\n\r\n\(expected)"))
        }
    }

    @Test func tellsTheMethodsOfAPathThatHasOthers() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.post("/posts") { _ in .text("made") }
            routes.delete("/posts") { _ in .text("gone") }
        }) { server in
            let answer = try await RawClient.exchange(
                server.port,
                "PUT /posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.text.hasPrefix("HTTP/1.1 405 "))
            #expect(answer.text.contains("Allow: POST, DELETE\r\n"))
        }
    }

    @Test func answersHeadFromAGetRouteWithoutTheBody() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("hello") } }) { server in
            let answer = try await RawClient.exchange(
                server.port,
                "HEAD /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.text.contains("Content-Length: 5\r\n"))
            #expect(answer.text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func takesRoutesWhileRunning() async throws {
        try await withLoopbackServer { server in
            server.addRoutes { $0.on(nil, "/late") { request in .text("\(request.method)") } }
            let answer = try await RawClient.exchange(
                server.port,
                "BREW /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            // The decoder has a fixed list of methods; an unknown one makes a malformed request.
            #expect(answer.text.hasPrefix("HTTP/1.1 400 "))
            let known = try await RawClient.exchange(
                server.port,
                "PURGE /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(known.text.hasSuffix("PURGE"))
        }
    }
}
