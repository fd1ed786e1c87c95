// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of what reaches the server.
    var requestBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .everyVerbArrives: { try await $0.everyVerbArrives() }
        case .fieldsMakeTheRoundTrip: { try await $0.fieldsMakeTheRoundTrip() }
        case .nothingIsAddedToTheFields: { try await $0.nothingIsAddedToTheFields() }
        case .emptyBodies: { try await $0.emptyBodies() }
        case .largeRequestBodyArrivesWhole: { try await $0.largeRequestBodyArrivesWhole() }
        case .streamedBodyArrivesChunked: { try await $0.streamedBodyArrivesChunked() }
        case .streamedBodyOfKnownLength: { try await $0.streamedBodyOfKnownLength() }
        case .streamedBodyOfWrongLengthIsRefused: { try await $0.streamedBodyOfWrongLengthIsRefused() }
        case .producerFailureEndsTheExchange: { try await $0.producerFailureEndsTheExchange() }
        case .fileArrivesWhole: { try await $0.fileArrivesWhole() }
        case .fileRangeArrives: { try await $0.fileRangeArrives() }
        case .missingFileIsRefused: { try await $0.missingFileIsRefused() }
        case .uploadIsHeldBackByASlowServer: { try await $0.uploadIsHeldBackByASlowServer() }
        case .targetIsSentVerbatim: { try await $0.targetIsSentVerbatim() }
        case .hostNamesThePort: { try await $0.hostNamesThePort() }
        case .ownHostIsSent: { try await $0.ownHostIsSent() }
        case .severalHostsAreRefused: { try await $0.severalHostsAreRefused() }
        case .lineBreakInTheTargetIsRefused: { try await $0.lineBreakInTheTargetIsRefused() }
        case .framingFieldsCannotSmuggle: { try await $0.framingFieldsCannotSmuggle() }
        default: nil
        }
    }
}

extension ConformanceBench {
    /// Responds with the received method and body.
    private static func echo(_ routes: inout Routes) {
        routes.on(nil, "*") { request in
            ServerResponse(headers: ["X-Method": request.method.rawValue], body: request.body)
        }
    }

    fileprivate func everyVerbArrives() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            let verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PURGE"]
            for verb in verbs.compactMap({ HTTPRequest.Method($0) }) {
                let hasBody = [.post, .put, .patch].contains(verb)
                let body = RequestBody.bytes(ByteChunk("body of \(verb)"))
                let response = try await exchange(
                    request(server, method: verb, body: hasBody ? body : .none)
                )
                try expectEqual(response.status, 200, "the status for \(verb)")
                try expectEqual(response.value("X-Method"), verb.rawValue, "the verb")
                try expectEqual(response.text, hasBody ? "body of \(verb)" : "", "the body of \(verb)")
            }
        }
    }

    fileprivate func fieldsMakeTheRoundTrip() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { request in
                ServerResponse(headers: Headers(request.headers.filtered { $0.begins(with: "x-") }))
            }
        }) { server in
            let long = String(repeating: "v", count: 4000)
            let sent = [
                ("X-One", "1"), ("x-many", "a"), ("X-Many", "b, c"), ("X-Many", "d"), ("X-Long", long),
                ("X-Odd", "\"quoted; =\" \t%41"), ("X-Utf8", "héllo"),
            ]
            let response = try await exchange(request(server, headers: sent))
            try expectEqual(response.value("X-One"), "1", "X-One")
            let many = HTTPField.Name("X-Many").map { response.headers[values: $0] } ?? []
            try expectEqual(many.joined(separator: ", "), "a, b, c, d", "X-Many")
            try expectEqual(response.value("X-Long"), long, "X-Long")
            try expectEqual(response.value("X-Odd"), "\"quoted; =\" \t%41", "X-Odd")
            try expectEqual(response.value("X-Utf8"), "héllo", "X-Utf8")
        }
    }

    fileprivate func nothingIsAddedToTheFields() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            _ = try await exchange(request(server, headers: [("X-b", "2"), ("x-A", "1"), ("X-Empty", "")]))
            let names = server.requests.first?.headers.map(\.name.rawName) ?? []
            let own = names.filter { !["host", "connection"].contains($0.lowercased()) }
            try expectEqual(own, ["X-b", "x-A", "X-Empty"], "the list of fields")
        }
    }

    fileprivate func emptyBodies() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            for (verb, body) in [
                (HTTPRequest.Method.post, RequestBody.none), (.put, .bytes(.empty)),
                (.patch, .stream(StreamBody { _, _ in })), (.get, .none),
            ] {
                let response = try await exchange(request(server, method: verb, body: body))
                try expectEqual(response.status, 200, "the status for \(verb)")
                try expect(response.body.isEmpty, "\(verb) got \(response.body.count) bytes")
            }
            let lengths = server.requests.map { $0.headers[.contentLength] }
            try expectEqual(lengths[0], "0", "the Content-Length of an empty POST")
            try expectEqual(lengths[1], "0", "the Content-Length of an empty PUT")
            try expectEqual(lengths[3], nil, "the Content-Length of a GET")
        }
    }

    fileprivate func largeRequestBodyArrivesWhole() async throws {
        let bytes = Self.pattern(10 * 1024 * 1024)
        try await withLoopbackServer(routes: { $0.post("/x") { .text("\($0.body.count)") } }) { server in
            let response = try await exchange(request(server, method: .post, body: .bytes(ByteChunk(bytes))))
            try expectEqual(response.text, "\(bytes.count)", "the count that the server received")
            try expectBytes(server.requests.first?.body ?? [], bytes, "the body that the server received")
        }
    }

    private func stream(_ bytes: [UInt8], length: Int64?, piece: Int = 10_000) -> RequestBody {
        .stream(
            StreamBody(length: length) { _, writer in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    try await writer.write(ByteChunk(Array(bytes[start..<min(start + piece, bytes.count)])))
                }
            }
        )
    }

    fileprivate func streamedBodyArrivesChunked() async throws {
        let bytes = Self.pattern(1_000_003)
        try await withLoopbackServer(routes: Self.echo) { server in
            let response = try await exchange(request(server, method: .post, body: stream(bytes, length: nil)))
            try expectBytes(response.body, bytes, "the echo")
            guard transport.capabilities.streamsRequestBodies else { return }
            let headers = server.requests.first?.headers ?? [:]
            try expectEqual(headers[.transferEncoding]?.lowercased(), "chunked", "Transfer-Encoding")
            try expectEqual(headers[.contentLength], nil, "Content-Length")
        }
    }

    fileprivate func streamedBodyOfKnownLength() async throws {
        let bytes = Self.pattern(300_001)
        try await withLoopbackServer(routes: Self.echo) { server in
            let body = stream(bytes, length: Int64(bytes.count))
            let response = try await exchange(request(server, method: .put, body: body))
            try expectBytes(response.body, bytes, "the echo")
            let headers = server.requests.first?.headers ?? [:]
            try expectEqual(headers[.contentLength], "\(bytes.count)", "Content-Length")
            try expectEqual(headers[.transferEncoding], nil, "Transfer-Encoding")
        }
    }

    fileprivate func streamedBodyOfWrongLengthIsRefused() async throws {
        for length: Int64 in [10, 1000] {
            try await withLoopbackServer(routes: Self.echo) { server in
                let body = stream(Self.pattern(500), length: length, piece: 100)
                try await expectFailure([.requestBody, .invalidRequest]) {
                    _ = try await exchange(request(server, method: .post, body: body))
                }
                // The server must not take the short body for a complete one, or the surplus for another request.
                try await waitForEnd(on: server)
                try expect(server.counts.requestsBegun <= 1, "the surplus became a request")
                let whole = server.requests.contains { $0.body.count > 10 }
                try expect(!whole, "a body of the wrong length was delivered")
            }
        }
    }

    fileprivate func producerFailureEndsTheExchange() async throws {
        struct Broken: Error {}
        try await withLoopbackServer(routes: Self.echo) { server in
            let body = StreamBody(replay: .restartable) { _, writer in
                try await writer.write(ByteChunk("some"))
                throw Broken()
            }
            // A body made of another one has that one's cause.
            let other = StreamBody { _, writer in
                try await RequestBody.stream(body).read { try await writer.write($0) }
            }
            for body in [body, other] {
                let failure = try await expectFailure([.requestBody]) {
                    _ = try await exchange(request(server, method: .post, body: .stream(body)))
                }
                try expect(failure.cause is Broken, "the cause is \(String(describing: failure.cause))")
            }
            try await waitForEnd(on: server)
            try expectEqual(server.counts.requestsReceived, 0, "the count of whole requests")
        }
    }

    fileprivate func fileArrivesWhole() async throws {
        let bytes = Self.pattern(2_000_001)
        try await ConformanceFile.with(bytes) { file in
            try await withLoopbackServer(routes: Self.echo) { server in
                let body = RequestBody.file(FileBody(path: file.path, length: Int64(bytes.count)))
                let response = try await exchange(request(server, method: .put, body: body))
                try expectBytes(response.body, bytes, "the echo")
                let length = server.requests.first?.headers[.contentLength]
                try expectEqual(length, "\(bytes.count)", "Content-Length")
            }
        }
    }

    fileprivate func fileRangeArrives() async throws {
        let bytes = Self.pattern(300_000)
        try await ConformanceFile.with(bytes) { file in
            try await withLoopbackServer(routes: Self.echo) { server in
                for (offset, length) in [(1, 1), (99_999, 100_001), (299_999, 1), (0, 0)] {
                    let range = FileBody(path: file.path, offset: Int64(offset), length: Int64(length))
                    let response = try await exchange(request(server, method: .put, body: .file(range)))
                    try expectBytes(response.body, Array(bytes[offset..<(offset + length)]), "the echo of \(offset)")
                }
            }
        }
    }

    fileprivate func missingFileIsRefused() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            try await expectFailure([.requestBody]) {
                let body = RequestBody.file(FileBody(path: "/nonexistent/cumulus", length: 5))
                _ = try await exchange(request(server, method: .put, body: body))
            }
        }
        try await ConformanceFile.with([1, 2, 3]) { file in
            try await withLoopbackServer(routes: Self.echo) { server in
                try await expectFailure([.requestBody]) {
                    let body = RequestBody.file(FileBody(path: file.path, offset: 1, length: 5))
                    _ = try await exchange(request(server, method: .put, body: body))
                }
                try expectEqual(server.counts.requestsReceived, 0, "the count of whole requests")
            }
        }
    }

    fileprivate func uploadIsHeldBackByASlowServer() async throws {
        let gate = Gate()
        let produced = Tally()
        let total = 96 * 1024 * 1024
        try await withLoopbackServer(routes: {
            $0.on(.post, "/x", body: .unread) { _ in
                try await gate.wait()
                return .text("enough")
            }
        }) { server in
            let piece = [UInt8](repeating: 65, count: 64 * 1024)
            let body = StreamBody(length: Int64(total)) { _, writer in
                for _ in 0..<(total / piece.count) {
                    try await writer.write(ByteChunk(piece))
                    produced.add(piece.count)
                }
            }
            let upload = Task { [self] in
                // Whether the response still arrives after the server closed with unread bytes is not tested.
                _ = try? await exchange(request(server, method: .post, body: .stream(body)))
            }
            try await server.waitForRequests(1)
            let stalled = try await produced.waitForStall()
            gate.open()
            upload.cancel()
            await upload.value
            try expect(stalled < 32 * 1024 * 1024, "the producer could send \(stalled) bytes that were never read")
        }
    }

    fileprivate func targetIsSentVerbatim() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            let targets = [
                "/", "/a%2Fb/%c3%a9", "/x?q=a+b%20c&e=&k%5B%5D=1&&z", "/x?", "/a;v=1,2/$&'()*+,;=:@", "//double//",
                "/a/./b/../c", "/%7Etilde/~tilde", "/x?a=b?c/d",
            ]
            for target in targets {
                _ = try await exchange(request(server, target))
                try expectEqual(server.requests.last?.target, target, "the target")
            }
        }
    }

    fileprivate func hostNamesThePort() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            _ = try await exchange(request(server))
            let hosts = HTTPField.Name("Host").map { server.requests.first?.headers[values: $0] ?? [] }
            try expectEqual(hosts, ["127.0.0.1:\(server.port)"], "Host")
        }
    }

    fileprivate func ownHostIsSent() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            _ = try await exchange(request(server, headers: [("Host", "virtual.example:81")]))
            let hosts = HTTPField.Name("Host").map { server.requests.first?.headers[values: $0] ?? [] }
            try expectEqual(hosts, ["virtual.example:81"], "Host")
        }
    }

    fileprivate func severalHostsAreRefused() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            for hosts in [["a.example", "b.example"], ["a.example", "a.example"], [""], ["a.example, b.example"]] {
                let headers = hosts.map { ("Host", $0) }
                try await expectFailure([.invalidRequest, .unsupported]) {
                    _ = try await exchange(request(server, headers: headers))
                }
            }
            try expectEqual(server.requests.count, 0, "the count of requests that reached the server")
        }
    }

    fileprivate func lineBreakInTheTargetIsRefused() async throws {
        try await withLoopbackServer(routes: Self.echo) { server in
            for bad in ["/a\r\nX-Evil: 1\r\n\r\n", "/a b", "/a\n", "/a\u{0}b", "/a\tb", "", "nopath"] {
                do {
                    try await expectFailure([.invalidRequest]) { _ = try await exchange(request(server, bad)) }
                } catch let failure as ConformanceFailure {
                    throw ConformanceFailure(reason: "\(bad.debugDescription): \(failure.reason)")
                }
            }
            let good = try await exchange(request(server, "/good"))
            try expectEqual(good.status, 200, "the status afterwards")
            try expectEqual(server.requests.map(\.target), ["/good"], "what reached the server")
            try expectEqual(server.counts.failures, 0, "the count of malformed requests")
        }
    }

    fileprivate func framingFieldsCannotSmuggle() async throws {
        for (name, value) in [("Content-Length", "3"), ("Transfer-Encoding", "chunked"), ("Content-Length", "3, 3")] {
            try await withLoopbackServer(routes: Self.echo) { server in
                let smuggled = "abcGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
                let body = RequestBody.bytes(ByteChunk(smuggled))
                let evil = request(server, method: .post, headers: [(name, value)], body: body)
                do {
                    let response = try await exchange(evil)
                    try expectEqual(response.text, smuggled, "the body under a false \(name)")
                } catch let failure as TransportFailure {
                    try expect(failure.kind == .invalidRequest, "failed with \(failure)")
                }
                let next = try await exchange(request(server, "/next"))
                try expectEqual(next.status, 200, "the status afterwards")
                try expect(!server.requests.contains { $0.path == "/smuggled" }, "\(name) smuggled a request")
            }
        }
    }
}

extension HTTPFields {
    /// The fields whose lower-case names pass a test.
    func filtered(_ isWanted: (String) -> Bool) -> HTTPFields {
        var fields = HTTPFields()
        for field in self where isWanted(field.name.canonicalName) { fields.append(field) }
        return fields
    }
}
