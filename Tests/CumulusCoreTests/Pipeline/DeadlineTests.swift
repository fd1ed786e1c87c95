// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// The deadline ends everything: hooks, waits in lines, pauses and bodies.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    /// Steps that take longer than the deadline.
    enum Slow: String, Sendable, CaseIterable {
        case preflight, interceptor, authorizer, responseProcessor, validator, postProcessor, line, retryRule, joined
    }

    private struct Sleeping: Authorizer {
        let clock: ManualClock
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await wait()
            return try await next(request)
        }
        func authorize(_ request: inout EncodedRequest) async throws { try await wait() }
        /// A retry policy with a slow rule.
        var policy: RetryPolicy {
            RetryPolicy { _ in
                try? await wait()
                return .stop
            }
        }
        func wait() async throws { try await clock.sleep(until: clock.now + .seconds(2)) }

        /// Makes it the resource's hook, if the step is a hook.
        func add(to place: Resource, as step: Slow) {
            switch step {
            case .preflight: place.setRules { $0.preflights = [{ _ in try await wait() }] }
            case .interceptor: place.setRules { $0.interceptors = [self.intercept] }
            case .authorizer: place.setRules { $0.authorizers = [.custom(self)] }
            case .responseProcessor:
                place.setRules {
                    $0.responseProcessors = [
                        { response in
                            try await wait()
                            return response
                        }
                    ]
                }
            case .validator: place.setRules { $0.validators = [{ _ in try await wait() }] }
            case .postProcessor:
                place.setRules {
                    $0.postProcessors = [
                        { value, _ in
                            try await wait()
                            return value
                        }
                    ]
                }
            case .retryRule: place.setRules { $0.retry = policy }
            case .line, .joined: break
            }
        }
    }

    @Test("a deadline of one second ends steps that take two", arguments: Slow.allCases)
    func ends(slow: Slow) async throws {
        let clock = ManualClock()
        let gate = Gate()
        let transport = StubTransport { request in
            if request.path == "/held" { try await gate.wait() }
            return .json("1")
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
        }
        let sleeping = Sleeping(clock: clock)
        let place = site["x"]
        place.setRules { $0.deadline = .seconds(1) }
        var holder: Task<Int, any Error>?
        sleeping.add(to: place, as: slow)
        if slow == .line {
            site.setRules { $0.maxConcurrentRequests = 1 }
            holder = Task { try await site["held"].get(as: Int.self) }
            try await gate.waitForWaiters()
        }
        let call: @Sendable () async throws -> Int
        if slow == .joined {
            let shared = site["held"].keyed(.joining("x"))
            holder = Task { try await shared.get(as: Int.self) }
            try await gate.waitForWaiters()
            let joining = site["held"].with {
                $0.interceptors = [sleeping.intercept]
                $0.deadline = .seconds(1)
            }.keyed(.joining("x"))
            call = { try await joining.get(as: Int.self) }
        } else {
            call = { try await place.get(as: Int.self) }
        }
        let task = Task { try await call() }
        let sleepers = slow == .line ? 1 : 2
        try await clock.waitForSleepers(sleepers)
        clock.advance(by: .seconds(1))
        let result = await task.result
        let error = #expect(throws: CumulusError.self) { try result.get() }
        #expect(error?.code == .timeout && error?.phase == .total, "\(slow): \(error?.message ?? "")")
        #expect(error?.elapsed ?? .zero >= .seconds(1))
        if slow == .preflight {
            #expect(error?.stage == .preflight)
            #expect(error?.message == "the call, still in a preflight, took longer than 1 s")
        }
        gate.open()
        _ = try await holder?.value
        #expect(site.runningCalls.isEmpty)
    }

    @Test("a pause ends when it is over, or at the deadline with an error", arguments: [(1, 2), (2, 1)])
    func pauseOfACall(pause: Int, deadline: Int) async throws {
        let clock = ManualClock()
        let call = CallContext(CallStart(started: clock.moment, deadline: .seconds(deadline), observation: nil), nil)
        let request = EncodedRequest(method: .get, url: try RequestURL("http://a.example/"))
        let task = Task { try await call.pause(for: .seconds(pause), on: clock, before: request) }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(1))
        clock.advanceToNextSleeper()
        let result = await task.result
        guard deadline < pause else { return try result.get() }
        let error = #expect(throws: CumulusError.self) { try result.get() }
        #expect(error?.code == .timeout && error?.phase == .total)
        #expect(error?.limit == .seconds(1) && error?.elapsed == .seconds(1))
        #expect(error?.message == "the call took longer than 1 s")
        // After the deadline, not even a pause without length begins.
        await #expect(throws: CumulusError.self) { try await call.pause(for: .zero, on: clock, before: request) }
    }

    @Test("a pause that the deadline allowed when it was decided ends at the deadline")
    func latePause() async throws {
        let (clock, hasDecided) = (ManualClock(), Gate())
        var capabilities = TransportCapabilities()
        // Without it, the call would have a timer of its own.
        capabilities.attachesExchanges = true
        let transport = StubTransport(capabilities: capabilities) { _ in .status(.serviceUnavailable) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
            $0.deadline = .seconds(1)
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(500), jitter: { 1 }))
            $0.observers = [CallObserver(PassingTime(clock: clock, hasDecided: hasDecided).observe)]
        }
        let task = Task { try await site.get() }
        try await hasDecided.wait()
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .milliseconds(200))
        clock.advanceToNextSleeper()
        let result = await task.result
        let error = #expect(throws: CumulusError.self) { try result.get() }
        #expect(error?.code == .timeout && error?.phase == .total && error?.elapsed == .seconds(1))
        #expect(transport.requests.count == 1)
        #expect(site.runningCalls.isEmpty)
    }

    @Test("a call that ends in time leaves no timer behind")
    func noTimerStays() async throws {
        let clock = ManualClock()
        let site = Resource("http://a.example", transport: StubTransport { _ in .json("1") }.watched) {
            $0.clock = clock
            $0.deadline = .seconds(1)
            $0.validators = [{ _ in }]
            $0.preflights = [{ _ in }]
        }
        #expect(try await site.get(as: Int.self) == 1)
        try await eventually { clock.sleeperCount == 0 }
    }

    /// A decoder that makes 64 KiB of each input byte, in a second.
    private final class SlowDecoder: ContentDecoder {
        let clock: ManualClock
        let onStep: @Sendable () -> Void

        init(_ clock: ManualClock, _ onStep: @escaping @Sendable () -> Void) {
            (self.clock, self.onStep) = (clock, onStep)
        }

        func decode(
            _ input: UnsafeRawBufferPointer,
            into room: UnsafeMutableRawBufferPointer
        ) throws(ContentCodingProblem) -> ContentCodingStep {
            clock.advance(by: .seconds(1))
            onStep()
            room.initializeMemory(as: UInt8.self, repeating: 0)
            return ContentCodingStep(consumed: min(1, input.count), produced: room.count, state: .complete)
        }
    }

    /// How a decoded body is used.
    enum DecodedUse: Sendable, CaseIterable {
        case memory, stream, download
    }

    @Test(
        "decoding a body that has arrived ends at the deadline, or when the call is cancelled",
        arguments: DecodedUse.allCases,
        [true, false]
    )
    func slowDecoding(use: DecodedUse, isCancelled: Bool) async throws {
        let (clock, folder) = (ManualClock(), try TemporaryFolder())
        let steps = Mutex(0)
        var capabilities = TransportCapabilities()
        // Without it, the call would have a timer of its own.
        capabilities.attachesExchanges = true
        let transport = StubTransport(capabilities: capabilities) { _ in
            .response(headers: [.contentEncoding: "slow"], body: [UInt8](repeating: 1, count: 100))
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let coding = ContentCoding(
            name: "slow",
            decoder: {
                SlowDecoder(clock) {
                    let count = steps.withLock { count in
                        count += 1
                        return count
                    }
                    if isCancelled, count == 3 { site.cancelAll() }
                }
            }
        )
        site.setRules {
            $0.clock = clock
            $0.timeout = nil
            $0.contentCodings = [coding]
            if !isCancelled { $0.deadline = .seconds(3) }
        }
        let result = await Task {
            switch use {
            case .memory: _ = try await site.get()
            case .stream: for try await _ in try await site.call(.get).stream() {}
            case .download: try await site.download(to: .file(folder.path + "/x"))
            }
        }.result
        let error = #expect(throws: (any Error).self) { try result.get() }
        if isCancelled {
            #expect(error is CancellationError)
        } else {
            let error = error as? CumulusError
            #expect(error?.code == .timeout && error?.phase == .total && error?.limit == .seconds(3))
        }
        #expect(steps.withLock(\.self) <= 4)
        #expect(site.runningCalls.isEmpty)
    }
}
