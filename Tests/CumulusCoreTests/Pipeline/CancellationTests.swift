// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Cancellation at each await of the pipeline: `CancellationError`, and nothing stays open.
@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    enum Place: CaseIterable {
        case preflight, interceptor, authorizer, head, redirectBody, body, validator, postProcessor
    }

    struct Waiting: Authorizer {
        let gate: Gate
        let isIdle: Bool
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            if !isIdle { try await gate.wait() }
            return try await next(request)
        }
        func authorize(_ request: inout EncodedRequest) async throws { try await gate.wait() }
    }

    @Test(arguments: Place.allCases) func endsTheRequest(at place: Place) async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            switch place {
            case .head:
                try await gate.wait()
                return .json("1")
            case .redirectBody where request.number == 1:
                return .script([.chunk([1]), .gate(gate)], status: .found, headers: [.location: "/x"])
            case .body: return .script([.chunk([1]), .gate(gate)])
            default: return .json("1")
            }
        }
        let site = Resource("http://a.example", transport: transport.watched)
        switch place {
        case .preflight: site.setRules { $0.preflights = [{ _ in try await gate.wait() }] }
        case .interceptor: site.setRules { $0.interceptors = [Waiting(gate: gate, isIdle: false).intercept] }
        case .authorizer: site.setRules { $0.authorizers = [.custom(Waiting(gate: gate, isIdle: true))] }
        case .validator: site.setRules { $0.validators = [{ _ in try await gate.wait() }] }
        case .postProcessor:
            site.setRules {
                $0.postProcessors = [
                    { value, _ in
                        try await gate.wait()
                        return value
                    }
                ]
            }
        default: break
        }
        let task = Task { try await site.get(as: JSON.self) }
        try await gate.waitForWaiters()
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        if place == .body || place == .redirectBody { #expect(transport.cancelledBodies == 1) }
    }

    /// A transport that doesn't check for cancellation, and cancels the task of its first request.
    private final class Careless: Transport {
        let capabilities = TransportCapabilities()
        private let status: HTTPResponse.Status
        private let count = Atomic(0)
        /// The number of requests so far.
        var requestCount: Int { count.load(ordering: .relaxed) }

        /// - Parameter status: The status of the first response; the next ones are successful.
        init(_ status: HTTPResponse.Status) { self.status = status }

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let isFirst = count.add(1, ordering: .relaxed).newValue == 1
            if isFirst { withUnsafeCurrentTask { $0?.cancel() } }
            let head = ResponseHead(status: isFirst ? status : .ok, headers: [.location: "/next"])
            return TransportResponse(head: head, body: ResponseBody(complete: .empty))
        }
    }

    @Test(
        "after a cancellation nothing more is sent, even if the transport doesn't check",
        arguments: [.found, .serviceUnavailable, .misdirectedRequest] as [HTTPResponse.Status]
    )
    func sendsNothingMore(after status: HTTPResponse.Status) async throws {
        let transport = Careless(status)
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
        }
        let result = await Task { try await site.get() }.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(transport.requestCount == 1)
    }

    @Test("a request that is cancelled before it gets its slot is not sent, even if the transport doesn't check")
    func cancelledBeforeItsSlot() async throws {
        let transport = Careless(.ok)
        let site = Resource("http://a.example", transport: transport) { rules in
            rules.maxConcurrentRequests = 1
            rules.interceptors.append { request, next in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await next(request)
            }
        }
        let result = await Task { try await site.get() }.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(transport.requestCount == 0)
    }
}
