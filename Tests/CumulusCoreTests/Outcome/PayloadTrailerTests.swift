// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Fields that follow a request's body.
@Suite(.timeLimit(.minutes(10))) struct PayloadTrailerTests {
    private struct Trouble: Error {}

    private let transport = StubTransport { _ in .text("") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    private func lines(_ count: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for number in 0..<count { continuation.yield(Array("line \(number)\n".utf8)) }
            continuation.finish()
        }
    }

    /// Counts how often its value was made.
    private final class Count: Sendable {
        private let made = Mutex(0)
        var next: String {
            made.withLock { made in
                made += 1; return "\(made)"
            }
        }
    }

    @Test func valueIsMadeAfterTheLastByte() async throws {
        let count = Mutex(0)
        let counted = lines(3).map { line in
            count.withLock { $0 += 1 }
            return line
        }
        try await site.post(.stream(counted).trailer("X-Lines") { "\(count.withLock(\.self))" }).requireSuccess()
        let request = try #require(transport.lastRequest)
        #expect(request.text == "line 0\nline 1\nline 2\n")
        #expect(request.trailers["X-Lines"] == "3")
        #expect(request.headers[.trailer] == "X-Lines")
        #expect(request.request.body.length == nil)
    }

    @Test("trailers stay with their origin", arguments: ["http://a.example/x", "http://b.example/x"])
    func redirected(target: String) async throws {
        let transport = StubTransport { request in
            request.url.hasSuffix("/x") ? .text("") : .response(.temporaryRedirect, headers: [.location: target])
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.redirects.sendsBodiesToOtherOrigins = true
        }
        try await site.post(.text("body").trailer("X-Signature") { "secret" }).requireSuccess()
        let request = try #require(transport.lastRequest)
        let isSame = target.contains("a.example")
        #expect(request.text == "body")
        #expect(request.trailers["X-Signature"] == (isSame ? "secret" : nil))
        #expect(request.headers[.trailer] == (isSame ? "X-Signature" : nil))
    }

    @Test func everyPayloadCanHaveTrailers() async throws {
        let payloads: [(Payload, String)] = [
            (.none, ""), (.json(["a": 1] as JSON), "{\"a\":1}"), (.text("text"), "text"), (.form(["a": 1]), "a=1"),
            (.stream(lines(1), length: 7), "line 0\n"),
        ]
        for (payload, text) in payloads {
            try await site.post(payload.trailer("X-One") { "1" }.trailer("X-Two") { "2" }).requireSuccess()
            let request = try #require(transport.lastRequest)
            #expect(request.text == text)
            #expect(request.trailers.map(\.name.rawName) == ["X-One", "X-Two"])
            #expect(request.headers[.trailer] == "X-One, X-Two")
            #expect(request.request.body.length == nil)
        }
    }

    @Test func contentTypeIsThatOfThePayload() async throws {
        try await site.post(.json(["a": 1] as JSON).trailer("X-One") { "1" }).requireSuccess()
        #expect(transport.lastRequest?.headers[.contentType] == "application/json")
    }

    @Test func compressedPayloadKeepsItsTrailers() async throws {
        let text = String(repeating: "text", count: 1_000)
        for payload in [
            Payload.text(text).compressed().trailer("X-One") { "1" },
            Payload.text(text).trailer("X-One") { "1" }.compressed(),
        ] {
            try await site.post(payload).requireSuccess()
            let request = try #require(transport.lastRequest)
            #expect(request.headers[.contentEncoding] == "gzip")
            #expect(request.trailers["X-One"] == "1" && request.body.count < 1_000)
        }
    }

    @Test func nilOmitsTheField() async throws {
        try await site.post(.text("text").trailer("X-One") { nil }).requireSuccess()
        #expect(transport.lastRequest?.trailers.isEmpty == true)
    }

    @Test(arguments: ["X One", "", "X-One\r\nHost"])
    func nameThatIsNoTokenFailsBeforeAnythingIsSent(_ name: String) async throws {
        let error = try await failure { try await site.post(.text("text").trailer(.init(name)) { "1" }) }
        #expect(error.code == .invalidHeader)
        #expect(transport.requests.isEmpty)
    }

    @Test func valueWithALineBreakFailsTheRequest() async throws {
        let payload = Payload.text("text").trailer("X-One") { "1\r\nHost: evil" }
        let error = try await failure { try await site.post(payload) }
        #expect(error.code == .requestBody)
        #expect(!error.description.contains("evil"))
    }

    @Test func valueThatThrowsFailsTheRequest() async throws {
        let error = try await failure { try await site.post(.text("text").trailer("X-One") { throw Trouble() }) }
        #expect(error.code == .requestBody)
        #expect((error.cause as? TransportFailure)?.cause is Trouble)
    }

    @Test func declaredLengthIsStillEnforced() async throws {
        for length: Int64 in [6, 8] {
            let payload = Payload.stream(lines(1), length: length).trailer("X-One") { "1" }
            let error = try await failure { try await site.post(payload) }
            #expect(error.code == .requestBody)
        }
    }

    @Test("a transport that can't send trailers gets no request with trailers")
    func unsupported() async throws {
        struct Plain: Transport {
            let inner: StubTransport
            var capabilities: TransportCapabilities { TransportCapabilities() }

            func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }

            func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
        }
        let site = Resource("http://a.example", transport: Plain(inner: transport))
        let error = try await failure { try await site.post(.text("text").trailer("X-One") { "1" }) }
        #expect(error.code == .unsupported)
        #expect(transport.requests.isEmpty)
        try await site.post(.text("text")).requireSuccess()
    }

    @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect])
    func redirectMakesTheValueAgain(_ status: HTTPResponse.Status) async throws {
        let transport = StubTransport { request in
            request.path == "/old" ? .response(status, headers: ["Location": "/new"]) : .text("")
        }
        let count = Count()
        let site = Resource("http://a.example", transport: transport.watched)
        try await site["old"].post(.text("text").trailer("X-Time") { count.next }).requireSuccess()
        #expect(transport.requests.map { $0.trailers["X-Time"] } == ["1", "2"])
        #expect(transport.requests.map { $0.headers[.trailer] } == ["X-Time", "X-Time"])
    }

    @Test func redirectToAGetHasNoTrailers() async throws {
        let transport = StubTransport { request in
            request.path == "/old" ? .response(.seeOther, headers: ["Location": "/new"]) : .text("")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        try await site["old"].post(.text("text").trailer("X-One") { "1" }).requireSuccess()
        #expect(transport.lastRequest?.method == .get)
        #expect(transport.lastRequest?.headers[.trailer] == nil && transport.lastRequest?.trailers.isEmpty == true)
    }

    @Test func retryMakesTheValueAgain() async throws {
        let transport = StubTransport { request in
            request.number == 1 ? .response(.serviceUnavailable, headers: ["Retry-After": "0"]) : .text("")
        }
        let count = Count()
        let site = Resource("http://a.example", transport: transport.watched)
        try await site.put(.text("text").trailer("X-Time") { count.next }).requireSuccess()
        #expect(transport.requests.map { $0.trailers["X-Time"] } == ["1", "2"])
    }

    @Test func progressAndBandwidthKeepTrailers() async throws {
        let site = site
        site.setRules {
            $0.observers = [.progress { _ in }]
            $0.bandwidth = Bandwidth(bytesPerSecond: 1_000_000)
        }
        try await site.post(.text("text").trailer("X-One") { "1" }).requireSuccess()
        #expect(transport.lastRequest?.trailers["X-One"] == "1")
    }

    @Test func interceptorReplacesTheTrailers() async throws {
        let site = site
        site.setRules {
            $0.interceptors = [
                { request, next in
                    var request = request
                    let body = request.body
                    let stream = StreamBody(replay: .restartable) { _, writer in
                        try await body.read { try await writer.write($0) }
                    } trailers: {
                        [.eTag: "2"]
                    }
                    request.body = .stream(stream)
                    return try await next(request)
                }
            ]
        }
        try await site.post(.text("text").trailer("X-One") { "1" }).requireSuccess()
        #expect(transport.lastRequest?.text == "text")
        #expect(transport.lastRequest?.trailers.map(\.name.rawName) == ["ETag"])
    }

    @Test func descriptionNamesTheTrailer() {
        let payload = Payload.text("text").trailer("X-One") { "1" }
        #expect(payload.description == "text of 4 bytes, with the trailer X-One")
    }
}
