// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes

extension ConformanceBench {
    /// A call's deadline ends hooks, lines and pauses, which the transport doesn't see.
    func deadlineEndsHooksAndLines() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .text("x") }
            // Until the call's end cancels it.
            $0.get("/held") { _ in .stream { _ in try await Task.sleep(for: .seconds(600)) } }
            $0.get("/busy") { _ in .status(.serviceUnavailable) }
            $0.get("/later") { _ in .status(.serviceUnavailable, headers: [.retryAfter: "60"]) }
        }) { server in
            try await deadlineEndsHooks(site(server))
            try await deadlineEndsLines(site(server))
            try await deadlineEndsTurns(site(server))
            try await deadlineEndsPauses(site(server))
        }
    }

    private func site(_ server: LoopbackServer) -> Resource {
        let site = Resource(server.url, transport: transport) { $0.httpVersion = list.httpVersion }
        return site
    }

    private func deadlineEndsHooks(_ site: Resource) async throws {
        let place = site["x"]
        place.setRules { $0.deadline = .milliseconds(300) }
        for hook in SlowHook.Place.allCases {
            let slow = place.with { hook.set(SlowHook(place: hook), in: &$0) }
            try await expectDeadline("\(hook)") { _ = try await slow.get(as: String.self) }
        }
        try expect(site.runningCalls.isEmpty, "a request is still on the list")
    }

    private func deadlineEndsLines(_ site: Resource) async throws {
        site.setRules { $0.maxConcurrentRequests = 1 }
        let place = site["x"].with { $0.deadline = .milliseconds(300) }
        let held = try await site["held"].call(.get).stream()
        try await expectDeadline("the line") { try await place.get().requireSuccess() }
        held.cancel()
        try expect(site.runningCalls.isEmpty, "a request is still on the list")
        let after = try await site["x"].get(as: String.self)
        try expect(after == "x", "the slot was not released")
    }

    private func deadlineEndsTurns(_ site: Resource) async throws {
        site.setRules { $0.rateLimit = .requests(1, per: .seconds(600)) }
        try await site["x"].get().requireSuccess()
        let place = site["x"].with { $0.deadline = .milliseconds(300) }
        try await expectDeadline("the rate limit") { try await place.get().requireSuccess() }
        try expect(site.runningCalls.isEmpty, "a request is still on the list")
    }

    private func deadlineEndsPauses(_ site: Resource) async throws {
        // A pause that would outlast the deadline isn't begun.
        let later = site["later"]
        later.setRules {
            $0.retry = .default
            $0.deadline = .seconds(59)
        }
        let start = ContinuousClock.now
        let response = try await later.get()
        try expectEqual(response.attempts.last?.retry?.obstacle, .deadline(.seconds(60)), "the obstacle")
        try expect(start.duration(to: .now) < .seconds(120), "the response of a busy server arrived late")
        // One that turns out to ends with the deadline.
        let (clock, hasDecided) = (ManualClock(), Gate())
        let busy = site["busy"]
        busy.setRules {
            $0.clock = clock
            $0.deadline = .seconds(1)
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(500), jitter: { 1 }))
            $0.observers = [CallObserver(PassingTime(clock: clock, hasDecided: hasDecided).observe)]
        }
        let call = Task { try await busy.get() }
        try await hasDecided.wait()
        clock.advance(by: .seconds(1))
        try await expectDeadline("the pause") { _ = try await call.value }
        try expect(site.runningCalls.isEmpty, "a request is still on the list")
    }

    private func expectDeadline(_ name: String, _ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        do {
            try await body()
        } catch let error as CumulusError {
            try expect(error.code == .timeout && error.phase == .total, "\(name): \(error)")
            return try expect(start.duration(to: .now) < .seconds(120), "\(name) ended late")
        }
        try expect(false, "\(name) outlasted the deadline")
    }
}

/// A hook that would take ten minutes.
private struct SlowHook: Authorizer {
    enum Place: CaseIterable {
        case preflight, interceptorBefore, interceptorAfter, authorizer, retryRule, responseProcessor, validator
        case postProcessor

        func set(_ hook: SlowHook, in settings: inout Resource.Settings) {
            switch self {
            case .preflight: settings.preflights = [{ _ in try await hook.wait() }]
            case .interceptorBefore, .interceptorAfter: settings.interceptors = [hook.intercept]
            case .authorizer: settings.authorizers = [.custom(hook)]
            case .retryRule:
                settings.retry = RetryPolicy { _ in
                    try? await hook.wait()
                    return .stop
                }
            case .responseProcessor:
                settings.responseProcessors = [
                    { response in
                        try await hook.wait()
                        return response
                    }
                ]
            case .validator: settings.validators = [{ _ in try await hook.wait() }]
            case .postProcessor:
                settings.postProcessors = [
                    { value, _ in
                        try await hook.wait()
                        return value
                    }
                ]
            }
        }
    }

    let place: Place

    // Until the call's end cancels it.
    func wait() async throws { try await Task.sleep(for: .seconds(600)) }

    func authorize(_ request: inout EncodedRequest) async throws { try await wait() }

    func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
        if place == .interceptorBefore { try await wait() }
        let response = try await next(request)
        if place == .interceptorAfter { try await wait() }
        return response
    }
}
