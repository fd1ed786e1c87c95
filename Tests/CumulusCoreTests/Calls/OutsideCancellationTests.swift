// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Cancellation from outside at each await of the pipeline: no leak, no stuck slot, no lost waiter.
@Suite(.timeLimit(.minutes(10))) struct OutsideCancellationTests {
    enum Place: CaseIterable {
        case limit, interceptor, authorizer, head, redirectBody, body, validator, postProcessor, joined
    }

    private struct Waiting: Authorizer {
        let gate: Gate
        let isIdle: Bool
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            if !isIdle { try await gate.wait() }
            return try await next(request)
        }
        func authorize(_ request: inout EncodedRequest) async throws { try await gate.wait() }
    }

    private func transport(_ place: Place, _ gate: Gate) -> StubTransport {
        StubTransport { request in
            switch place {
            case .head, .limit, .joined:
                try await gate.wait()
                return .json("1")
            case .redirectBody where request.number == 1:
                return .script([.chunk([1]), .gate(gate)], status: .found, headers: [.location: "/x"])
            case .body: return .script([.chunk([1]), .gate(gate)])
            default: return .json("1")
            }
        }
    }

    private func prepare(_ site: Resource, _ place: Place, _ gate: Gate) {
        site.setRules { $0.maxConcurrentRequests = 1 }
        switch place {
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
    }

    @Test(arguments: Place.allCases) func endsTheRequest(at place: Place) async throws {
        let gate = Gate()
        let transport = transport(place, gate)
        let site = Resource("http://a.example", transport: transport.watched)
        prepare(site, place, gate)
        // At the limit, the second one waits.
        let first = place == .limit ? Task { try await site.get(as: JSON.self) } : nil
        if place == .limit { try await gate.waitForWaiters() }
        let task = Task {
            if place == .joined { return try await site.keyed(.joining("one")).get(as: JSON.self) }
            return try await site.get(as: JSON.self)
        }
        try await eventually { site.runningCalls.count == (place == .limit ? 2 : 1) }
        if place != .limit { try await gate.waitForWaiters() }
        let isCancelled = site.runningCalls.last?.cancel()
        #expect(isCancelled == true)
        // A lost cancellation would wait for the gate, which isn't open yet.
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(site.runningCalls.count == (place == .limit ? 1 : 0))
        gate.open()
        _ = try await first?.value
        // The slot is free again, and the next request runs.
        let next = try await site.with { $0.deadline = .seconds(300) }.get()
        #expect(next.status == .ok)
        #expect(site.runningCalls.isEmpty)
        if place == .body || place == .redirectBody { #expect(transport.cancelledBodies >= 1) }
    }
}
