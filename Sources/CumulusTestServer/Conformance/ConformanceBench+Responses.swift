// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization

extension TransportConformance.Case {
    /// Cases of responses.
    var responseBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .statusesAreReturnedNotThrown: { try await $0.statusesAreReturnedNotThrown() }
        case .challengesAreReturned: { try await $0.challengesAreReturned() }
        case .headHasNoBody: { try await $0.headHasNoBody() }
        case .noContentHasNoBody: { try await $0.noContentHasNoBody() }
        case .notModifiedHasNoBody: { try await $0.notModifiedHasNoBody() }
        case .largeResponseBodyArrivesWhole: { try await $0.largeResponseBodyArrivesWhole() }
        case .chunkedBody: { try await $0.chunkedBody() }
        case .trailersAreDelivered: { try await $0.trailersAreDelivered() }
        case .bodyUntilTheEndOfTheConnection: { try await $0.bodyUntilTheEndOfTheConnection() }
        case .informationalResponsesArePassedOver: { try await $0.informationalResponsesArePassedOver() }
        case .informationalResponsesAreHandedOver: { try await $0.informationalResponsesAreHandedOver() }
        case .redirectsAreNotFollowed: { try await $0.redirectsAreNotFollowed() }
        case .cookiesAreNotKept: { try await $0.cookiesAreNotKept() }
        case .contentCodingsAreNotDecoded: { try await $0.contentCodingsAreNotDecoded() }
        case .nothingIsCached: { try await $0.nothingIsCached() }
        case .nothingIsRepeated: { try await $0.nothingIsRepeated() }
        case .earlyResponseWhileUploading: { try await $0.earlyResponseWhileUploading() }
        default: nil
        }
    }
}

extension ConformanceBench {
    fileprivate func statusesAreReturnedNotThrown() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/:status") { request in
                let code = request.parameters["status"].flatMap { Int($0) } ?? 500
                var headers: Headers = [:]
                if code == 401 { headers[.wwwAuthenticate] = "Basic realm=\"x\"" }
                if code == 407 { headers[.proxyAuthenticate] = "Basic realm=\"x\"" }
                return ServerResponse(.init(code: code), headers: headers, body: Array("body of \(code)".utf8))
            }
        }) { server in
            for code in [200, 201, 206, 300, 400, 401, 403, 404, 407, 410, 416, 421, 429, 500, 503, 599, 799] {
                let response = try await exchange(request(server, "/\(code)"))
                try expectEqual(response.status, code, "the status")
                try expectEqual(response.text, "body of \(code)", "the body")
            }
            try expectEqual(server.counts.requestsBegun, 17, "the count of requests")
        }
    }

    fileprivate func challengesAreReturned() async throws {
        let challenges = [
            "Bearer", "Negotiate", "Digest realm=\"x\", nonce=\"y\"", "Basic", "Bearer error=\"a\", Basic x=y", "=",
        ]
        try await withLoopbackServer(routes: {
            $0.on(nil, "/:n") { request in
                let number = request.parameters["n"].flatMap { Int($0) } ?? 0
                return ServerResponse(
                    .unauthorized,
                    headers: [.wwwAuthenticate: challenges[number]],
                    body: Array("no".utf8)
                )
            }
        }) { server in
            for (number, challenge) in challenges.enumerated() {
                for verb in [HTTPRequest.Method.get, .post] {
                    let body: RequestBody = verb == .post ? .bytes(ByteChunk("x")) : .none
                    let response = try await exchange(request(server, "/\(number)", method: verb, body: body))
                    try expectEqual(response.status, 401, "the status")
                    try expectEqual(response.headers[.wwwAuthenticate], challenge, "the challenge")
                    try expectEqual(response.text, "no", "the body")
                }
            }
            try expectEqual(server.counts.requestsBegun, 2 * challenges.count, "the count of requests")
        }
    }

    fileprivate func headHasNoBody() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("not sent") } }) { server in
            for _ in 1...2 {
                let response = try await exchange(request(server, method: .head))
                try expectEqual(response.status, 200, "the status")
                try expectEqual(response.value("Content-Length"), "8", "Content-Length")
                try expect(response.body.isEmpty, "HEAD has a body of \(response.body.count) bytes")
            }
        }
    }

    fileprivate func noContentHasNoBody() async throws {
        try await withLoopbackServer(routes: { $0.on(nil, "/x") { _ in ServerResponse(.noContent) } }) { server in
            for verb in [HTTPRequest.Method.delete, .get] {
                let response = try await exchange(request(server, method: verb))
                try expectEqual(response.status, 204, "the status")
                try expect(response.body.isEmpty, "204 has a body of \(response.body.count) bytes")
            }
        }
    }

    fileprivate func notModifiedHasNoBody() async throws {
        let raw = "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 1000\r\n\r\n"
        try await withLoopbackServer(raw: [.awaitHead, .send(raw), .awaitHead, .send(raw), .hold]) { server in
            for _ in 1...2 {
                let response = try await exchange(request(server, headers: [("If-None-Match", "\"1\"")]))
                try expectEqual(response.status, 304, "the status")
                try expect(response.body.isEmpty, "304 has a body of \(response.body.count) bytes")
                try expectEqual(response.value("ETag"), "\"1\"", "ETag")
            }
        }
    }

    fileprivate func largeResponseBodyArrivesWhole() async throws {
        let bytes = Self.pattern(10 * 1024 * 1024)
        try await withLoopbackServer(routes: { $0.get("/x") { _ in ServerResponse(body: bytes) } }) { server in
            let unread = try await transport.send(request(server))
            try expectEqual(unread.body.expectedLength, Int64(bytes.count), "the expected length")
            let response = try await read(unread)
            try expectBytes(response.body, bytes, "the body")
        }
    }

    fileprivate func chunkedBody() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let body = "1\r\na\r\n00A;x=\"y\"\r\nbcdefghijk\r\n5\r\n\r\n\r\n\n\r\n0\r\n\r\n"
        for every in [1, 7, 1000] {
            let script: RawScript = [.awaitHead, .split(head + body, every: every), .hold]
            try await withLoopbackServer(raw: script) { server in
                let response = try await exchange(request(server))
                try expectEqual(response.text, "abcdefghijk\r\n\r\n\n", "the body in pieces of \(every)")
            }
        }
    }

    fileprivate func trailersAreDelivered() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                var response = ServerResponse.script([.chunk(Array("abc".utf8))])
                response.trailers = [.eTag: "\"late\""]
                return response
            }
        }) { server in
            let unread = try await transport.send(request(server))
            try expect(unread.body.end == nil, "trailers are available before the body ends")
            let response = try await read(unread)
            try expectEqual(response.text, "abc", "the body")
            try expectEqual(response.end?.trailers[.eTag], "\"late\"", "the trailer")
            try expectEqual(response.headers[.eTag], nil, "the header")
        }
    }

    fileprivate func bodyUntilTheEndOfTheConnection() async throws {
        let raw = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nto the end"
        try await withLoopbackServer(raw: .response(raw)) { server in
            for _ in 1...2 {
                let response = try await transport.send(request(server))
                try expectEqual(response.body.expectedLength, nil, "the expected length")
                try expectEqual(try await read(response).text, "to the end", "the body")
            }
            try expectEqual(server.counts.connectionsAccepted, 2, "the count of connections")
        }
    }

    private static func informational(_ routes: inout Routes) {
        routes.get("/x") { _ in
            var response = ServerResponse.text("final")
            response.informational = [
                HTTPResponse(status: .init(code: 100)), HTTPResponse(status: .init(code: 102)),
                HTTPResponse(status: .init(code: 103), headerFields: [.eTag: "hint"]),
            ]
            return response
        }
    }

    fileprivate func informationalResponsesArePassedOver() async throws {
        try await withLoopbackServer(routes: Self.informational) { server in
            for _ in 1...2 {
                let response = try await exchange(request(server))
                try expectEqual(response.status, 200, "the status")
                try expectEqual(response.text, "final", "the body")
            }
        }
    }

    fileprivate func informationalResponsesAreHandedOver() async throws {
        try await withLoopbackServer(routes: Self.informational) { server in
            let seen = Seen()
            var request = request(server)
            request.onInformational = { seen.append($0) }
            let response = try await exchange(request)
            try expectEqual(seen.responses.map(\.status.code), [100, 102, 103], "the informational statuses")
            try expectEqual(seen.responses.last?.headerFields[.eTag], "hint", "the field of the 103")
            try expectEqual(response.headers[.eTag], nil, "the field of the final response")
        }
    }

    fileprivate func redirectsAreNotFollowed() async throws {
        try await withLoopbackServer(routes: {
            $0.on(nil, "/to/:status") { request in
                let code = request.parameters["status"].flatMap { Int($0) } ?? 302
                var response = ServerResponse.redirect(to: "/target", status: .init(code: code))
                response.content = .bytes(Array("moved".utf8))
                return response
            }
            $0.on(nil, "/target") { _ in .text("followed") }
        }) { server in
            for code in [301, 302, 303, 307, 308] {
                for verb in [HTTPRequest.Method.get, .post] {
                    let body: RequestBody = verb == .post ? .bytes(ByteChunk("x")) : .none
                    let response = try await exchange(request(server, "/to/\(code)", method: verb, body: body))
                    try expectEqual(response.status, code, "the status")
                    try expectEqual(response.value("Location"), "/target", "Location")
                    try expectEqual(response.text, "moved", "the body of the \(code)")
                }
            }
            try expect(!server.requests.contains { $0.path == "/target" }, "a redirect was followed")
        }
    }

    fileprivate func cookiesAreNotKept() async throws {
        guard let setCookie = HTTPField.Name("Set-Cookie"), let cookie = HTTPField.Name("Cookie") else { return }
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                ServerResponse(headers: [
                    .setCookie: "a=1; Path=/", .setCookie: "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
                ])
            }
        }) { server in
            let response = try await exchange(request(server))
            let cookies = response.headers[values: setCookie]
            try expectEqual(
                cookies,
                ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT"],
                "the list of cookies"
            )
            _ = try await exchange(request(server))
            _ = try await exchange(request(server, headers: [("Cookie", "own=3")]))
            let sent = server.requests.map { $0.headers[cookie] }
            try expectEqual(sent, [nil, nil, "own=3"], "the list of Cookie fields")
        }
    }

    fileprivate func contentCodingsAreNotDecoded() async throws {
        // "hello" in gzip.
        let gzip: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in ServerResponse(headers: [.contentEncoding: "gzip"], body: gzip) }
        }) { server in
            let response = try await exchange(request(server))
            try expectBytes(response.body, gzip, "the body")
            try expectEqual(response.headers[.contentEncoding], "gzip", "Content-Encoding")
        }
    }

    fileprivate func nothingIsCached() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { request in
                ServerResponse(
                    headers: [.cacheControl: "max-age=3600", .eTag: "\"1\""],
                    body: Array("\(request.numberOnConnection)".utf8)
                )
            }
        }) { server in
            for _ in 1...3 { _ = try await exchange(request(server)) }
            try expectEqual(server.counts.requestsBegun, 3, "the count of requests")
            try expect(server.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil }, "a request was conditional")
        }
    }

    fileprivate func nothingIsRepeated() async throws {
        try await withLoopbackServer(routes: {
            $0.on(nil, "/busy") { _ in ServerResponse(.serviceUnavailable, headers: [.retryAfter: "0"]) }
            $0.on(nil, "/gone") { _ in throw ServerResponse.Abort.close }
        }) { server in
            let busy = try await exchange(request(server, "/busy"))
            try expectEqual(busy.status, 503, "the status")
            try expectEqual(server.counts.requestsBegun, 1, "the count of requests after a 503")
            try await expectFailure([.connectionClosed]) {
                let body = RequestBody.bytes(ByteChunk("once"))
                _ = try await exchange(request(server, "/gone", method: .post, body: body))
            }
            try expectEqual(server.counts.requestsBegun, 2, "the count of requests after a broken connection")
        }
    }

    fileprivate func earlyResponseWhileUploading() async throws {
        let answered = Gate()
        try await withLoopbackServer(routes: {
            $0.on(.post, "/x", body: .discarded) { _ in .text("early", status: .contentTooLarge) }
        }) { server in
            let body = StreamBody { _, writer in
                try await writer.write(ByteChunk("first"))
                try await answered.wait()
                try await writer.write(ByteChunk("second"))
            }
            let response = try await transport.send(request(server, method: .post, body: .stream(body)))
            try expectEqual(response.head.status.code, 413, "the status")
            answered.open()
            try expectEqual(try await read(response).text, "early", "the body")
        }
    }

    /// The responses in order of arrival.
    private final class Seen: Sendable {
        private let stored = Mutex<[HTTPResponse]>([])
        var responses: [HTTPResponse] { stored.withLock { $0 } }
        func append(_ response: HTTPResponse) { stored.withLock { $0.append(response) } }
    }
}
