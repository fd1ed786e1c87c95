// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
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
        func intercept(_ request: EncodedRequest, next: Next) async throws -> TransportResponse {
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
}
