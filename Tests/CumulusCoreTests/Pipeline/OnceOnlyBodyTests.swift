// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// A once-only body is never sent a second time, no matter who tries.
@Suite(.timeLimit(.minutes(10))) struct OnceOnlyBodyTests {
    /// Sends each request twice and returns the second response.
    private struct Repeating: Sendable {
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            do { try await next(request).body.cancel() } catch {}
            return try await next(request)
        }
    }

    private let transport = StubTransport { request in .text(request.text) }
    private var site: Resource {
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.interceptors = [Repeating().intercept]
        }
        return site
    }

    private func chunks(_ text: String) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            continuation.yield(Array(text.utf8))
            continuation.finish()
        }
    }

    @Test("an interceptor that repeats a stream gets a typed error, and the server gets no second, empty body")
    func streams() async throws {
        let error = try await failure { try await site["up"].post(.stream(chunks("hello"))) }
        #expect(error.code == .requestBody)
        #expect(error.cause is BodyAlreadySent)
        #expect(transport.requests.map(\.text) == ["hello"])
    }

    @Test("a stream in a multipart form makes the whole form once-only")
    func parts() async throws {
        let form: MultipartForm = ["title": "Clouds", "file": .stream(chunks("hello"), fileName: "a.txt")]
        let error = try await failure { try await site["up"].post(.multipart(form)) }
        #expect(error.code == .requestBody)
        #expect(error.cause is BodyAlreadySent)
        #expect(transport.requests.count == 1)
    }

    @Test("counting and throttling don't copy a stream")
    func wrapped() async throws {
        let site = site
        site.setRules {
            $0.observers = [.progress { _ in }]
            $0.bandwidth = Bandwidth(bytesPerSecond: 1_000_000)
        }
        let error = try await failure { try await site["up"].post(.stream(chunks("hello"))) }
        #expect(error.cause is BodyAlreadySent)
        #expect(transport.requests.map(\.text) == ["hello"])
    }

    @Test("a payload that was sent once can't be sent by another call")
    func twoCalls() async throws {
        let site = Resource("http://a.example", transport: transport.watched)
        for payload in [
            Payload.stream(chunks("hello")), .multipart(["file": .stream(chunks("hello"), fileName: "a.txt")]),
        ] {
            try await site["up"].post(payload).requireSuccess()
            let error = try await failure { try await site["up"].post(payload) }
            #expect(error.code == .requestBody)
            #expect(error.cause is BodyAlreadySent)
        }
        #expect(transport.requests.count == 2)
    }

    @Test("bodies that can be produced again are repeated completely")
    func replayable() async throws {
        let stream = StreamBody(replay: .restartable) { _, writer in try await writer.write(ByteChunk("hello")) }
        for payload in [Payload.text("hello"), .body(.stream(stream))] {
            #expect(try await site["up"].post(payload).text == "hello")
        }
        #expect(transport.requests.map(\.text) == ["hello", "hello", "hello", "hello"])
    }

    @Test("a once-only body that no attempt touched can still be sent")
    func untouched() async throws {
        struct Failing: Transport {
            let inner: StubTransport
            let failures: Gate
            var capabilities: TransportCapabilities { inner.capabilities }
            func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                if !failures.isOpen {
                    failures.open()
                    throw TransportFailure(.connect, "nobody there")
                }
                return try await inner.send(request)
            }
        }
        let site = Resource("http://a.example", transport: Failing(inner: transport, failures: Gate()).watched) {
            $0.interceptors = [Repeating().intercept]
        }
        #expect(try await site["up"].post(.stream(chunks("hello"))).text == "hello")
        #expect(transport.requests.map(\.text) == ["hello"])
    }

    /// A store that has no version for any 304.
    private struct Forgetful: ResponseStore, StoreVisit {
        func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? { .ask(request, self) }
        func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart { .pass }
        func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
            var received = StoreResponse(response)
            received.needsRepetition = true
            return received
        }
        func failed() {}
    }

    @Test("a request that a store wants to repeat is repeated once, unless its body was sent and is once-only")
    func unconfirmed() async throws {
        for (payload, count) in [(Payload.text("hello"), 2), (.stream(chunks("hello")), 1)] {
            let transport = StubTransport { _ in .response(.notModified) }
            let site = Resource("http://a.example", transport: transport.watched) { $0.responseStore = Forgetful() }
            let response = try await site["up"].put(payload)
            #expect(response.status == .notModified)
            #expect(response.attempts.map(\.reason) == (count == 2 ? [.call, .unconfirmed] : [.call]))
            #expect(transport.requests.map(\.text) == Array(repeating: "hello", count: count))
        }
    }
}
