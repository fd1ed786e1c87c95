// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Random outcomes and replies in a row, against what must hold whatever happens.
@Suite struct RecoveryTests {
    /// Every kind of event and step that a run has met, and how often.
    private struct Coverage {
        var counts: [String: Int] = [:]
        mutating func note(_ name: String) { counts[name, default: 0] += 1 }
    }

    private static let all = [
        "answered", "failed", "challenge", "policy", "budget", "again", "declined", "given up", "proposed", "own again",
        "stopped", "granted", "refused", "note", "redirect", "retry", "deliver", "fail",
    ]

    @Test("never twice what can be sent once, never blindly, never too often or too late, each question once")
    func properties() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var (random, coverage) = (SeededNumbers(seed), Coverage())
        for _ in 0..<SlowTests.rounds(2_000, of: 100_000) {
            var call = try CallRun(&random, seed)
            try await call.run(&random, &coverage)
        }
        // The rarest is met in one call of twenty.
        let least = SlowTests.rounds(30, of: 500)
        for name in Self.all {
            #expect(coverage.counts[name] ?? 0 >= least, "\(name): \(coverage.counts[name] ?? 0), seed \(seed)")
        }
    }

    /// One call.
    private struct CallRun {
        let seed: UInt64
        let rules: Recovery.Rules
        let hasRule: Bool
        let started = Moment.now
        let end: Moment?
        let isHome: Origin
        var request: EncodedRequest
        /// The stream of a body that can be sent once.
        let stream: StreamBody?
        var now: Moment
        var mayHaveArrived = false
        var sends = 1
        var reasons: [AttemptRecord.Reason: Int] = [:]
        /// The authors whose proof was refused, and replaced by another's.
        var refused: Set<Int> = []

        init(_ random: inout SeededNumbers, _ seed: UInt64) throws {
            self.seed = seed
            hasRule = random.next() % 4 == 0
            let rule: RetryPolicy.Decide = { _ in .proposed }
            let policy = RetryPolicy(
                limit: random.next() % 4 == 0 ? nil : Int(random.next() % 4),
                backoff: RetryBackoff(base: .seconds(1), cap: .seconds(8)),
                maxWait: random.next() % 2 == 0 ? .seconds(5) : nil,
                maxTime: random.next() % 3 == 0 ? .seconds(20) : nil,
                budget: random.next() % 3 == 0 ? nil : RetryBudget(),
                decide: hasRule ? rule : nil
            )
            rules = Recovery.Rules(
                redirect: RedirectRule(
                    redirects: RedirectPolicy(
                        limit: Int(random.next() % 4),
                        sendsBodiesToOtherOrigins: random.next() % 4 == 0
                    ),
                    longestWait: .seconds(5)
                ),
                retry: random.next() % 8 == 0 ? nil : RetryRule(policy: policy),
                challengeLimit: Int(random.next() % 3)
            )
            now = started
            end = random.next() % 3 == 0 ? started + .seconds(Int(random.next() % 30) + 1) : nil
            let methods = ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"]
            let once = random.next() % 3 == 0 ? StreamBody { _, _ in } : nil
            stream = once
            isHome = Origin(scheme: .https, host: "a.example")
            request = EncodedRequest(
                method: try #require(HTTPRequest.Method(rawValue: methods[Int(random.next() % 6)])),
                url: RequestURL(origin: isHome, path: "/x", query: nil),
                body: once.map { .stream($0) } ?? (random.next() % 2 == 0 ? .none : .bytes(ByteChunk("x")))
            )
            request.headers["X-Secret"] = "s"
            if random.next() % 4 == 0 { request.headers["Idempotency-Key"] = "\"k\"" }
        }

        mutating func run(_ random: inout SeededNumbers, _ coverage: inout Coverage) async throws {
            var memory = Recovery.Memory()
            while sends < 40 {
                var attempt = try await attempt(&random)
                coverage.note(attempt.status == nil ? "failed" : "answered")
                attempt.jitter = Double(random.next() % 1_000) / 1_000
                var recovery = Recovery(rules, memory, since: started, until: end)
                now = now + .milliseconds(Int(random.next() % 3_000))
                guard try step(&recovery, attempt, &random, &coverage) else { return }
                memory = recovery.memory
            }
        }

        /// What the transport, and who may answer it, make of the request.
        private mutating func attempt(_ random: inout SeededNumbers) async throws -> EndedAttempt {
            let outcome: AttemptRecord.Outcome
            if random.next() % 3 == 0 {
                let kinds: [TransportFailure.Kind] = [
                    .connect, .connectionClosed, .timeout(.response), .tls, .truncated,
                ]
                let fates: [TransportFailure.Fate] = [.unsent, .unprocessed, .unknown]
                let (kind, fate) = (kinds[Int(random.next() % 5)], fates[Int(random.next() % 3)])
                if fate == .unknown { mayHaveArrived = true }
                let failure = TransportFailure(kind, "x", fate: fate)
                outcome = .failed(CumulusError(failure, stage: .transmission, request: request))
                if fate == .unknown { try await begin() }
            } else {
                let codes = [200, 204, 301, 302, 303, 307, 308, 401, 403, 407, 409, 429, 500, 502, 503, 504]
                outcome = .responded(.init(code: codes[Int(random.next() % 16)]))
                mayHaveArrived = true
                try await begin()
            }
            var attempt = EndedAttempt(request, outcome)
            if case .responded = outcome {
                let places = ["/y", "https://b.example/y", "http://a.example/y", "", "https://a.example/z", "//"]
                if random.next() % 5 > 0 { attempt.headers[.location] = places[Int(random.next() % 6)] }
                if random.next() % 4 == 0 { attempt.headers[.retryAfter] = "\(random.next() % 9)" }
                attempt.isChallenge = random.next() % 2 == 0
            }
            attempt.retries = random.next() % 8 > 0
            return attempt
        }

        private func begin() async throws {
            // A redirect may have left it out.
            guard let stream, case .stream = request.body else { return }
            try await stream.contents(0, BodyWriter { _ in })
        }

        /// Answers what is asked until the call ends (false), or the request is sent again.
        private mutating func step(
            _ recovery: inout Recovery,
            _ attempt: EndedAttempt,
            _ random: inout SeededNumbers,
            _ coverage: inout Coverage
        ) throws -> Bool {
            var event = Recovery.Event.ended(attempt)
            let before = recovery.memory
            var (asked, ownChoice, noted): (Set<String>, Bool, RetryDecision?) = ([], false, nil)
            for _ in 0..<12 {
                let next = recovery.next(event, at: now, date: Date())
                if case .responded(.declined(let reasons)) = event, reasons.isEmpty {
                    checkDeclined(next, attempt, before)
                }
                switch next {
                case .note(let decision):
                    coverage.note("note")
                    noted = decision
                    event = .noted
                case .consult(let consultation):
                    (event, ownChoice) = answer(consultation, attempt, &asked, &random, &coverage, ownChoice)
                case .send(let order):
                    coverage.note("\(order.reason)")
                    check(order, after: attempt, recovery.memory, noted, ownChoice)
                    now = now + order.delay
                    request = order.request
                    return true
                case .deliver:
                    coverage.note("deliver")
                    // It stays so, whatever is said.
                    let others: [Recovery.Event] = [
                        .noted, .granted(true), .chosen(.again()), .responded(.again(without: nil)),
                    ]
                    for event in others {
                        guard case .deliver = recovery.next(event, at: now, date: Date()) else {
                            Issue.record("a step after the last one, seed \(seed)")
                            continue
                        }
                    }
                    return false
                case .fail(let error):
                    coverage.note("fail")
                    #expect(error.code == .redirectRefused || error.code == .tooManyRedirects, "seed \(seed)")
                    return false
                }
            }
            Issue.record("no end of questions, seed \(seed)")
            return false
        }

        /// What those who are asked say; whether the user's rule has chosen to send again.
        private mutating func answer(
            _ consultation: Recovery.Consultation,
            _ attempt: EndedAttempt,
            _ asked: inout Set<String>,
            _ random: inout SeededNumbers,
            _ coverage: inout Coverage,
            _ ownChoice: Bool
        ) -> (Recovery.Event, Bool) {
            let reply = Int(random.next() % 3)
            switch consultation {
            case .challenge(let number):
                coverage.note("challenge")
                #expect(asked.isEmpty && number <= rules.challengeLimit, "the first question, seed \(seed)")
                asked.insert("challenge")
                coverage.note(["again", "declined", "given up"][reply])
                let author = random.next() % 2 == 0 ? Int(random.next() % 3) : nil
                if reply == 0, let author { refused.insert(author) }
                return (.responded(reply == 0 ? .again(without: author) : .declined(reply == 1 ? ["no"] : [])), false)
            case .policy:
                coverage.note("policy")
                #expect(hasRule && asked.insert("policy").inserted, "seed \(seed)")
                coverage.note(["proposed", "own again", "stopped"][reply])
                let delay: Duration? = random.next() % 2 == 0 ? nil : .seconds(Int(random.next() % 9))
                return (.chosen(reply == 0 ? .proposed : reply == 1 ? .again(after: delay) : .stop), reply == 1)
            case .budget(let cost):
                coverage.note("budget")
                // A server that doesn't answer in time costs more.
                let isTimeout = (attempt.error as? CumulusError)?.code == .timeout
                #expect(asked.insert("budget").inserted && cost == (isTimeout ? 2 : 1), "seed \(seed)")
                coverage.note(reply > 0 ? "granted" : "refused")
                return (.granted(reply > 0), ownChoice)
            }
        }

        /// What nobody has answered goes on like any other response.
        private func checkDeclined(
            _ next: borrowing Recovery.Step,
            _ attempt: EndedAttempt,
            _ memory: Recovery.Memory
        ) {
            var usual = attempt
            usual.isChallenge = false
            var other = Recovery(rules, memory, since: started, until: end)
            let step = CallRun.name(other.next(.ended(usual), at: now, date: Date()))
            #expect(step == CallRun.name(next), "seed \(seed)")
        }

        private static func name(_ step: borrowing Recovery.Step) -> String {
            switch step {
            case .consult(.challenge): "challenge"
            case .consult(.policy): "policy"
            case .consult(.budget): "budget"
            case .note: "note"
            case .send(let order): "\(order.reason)"
            case .deliver: "deliver"
            case .fail: "fail"
            }
        }

        private mutating func check(
            _ order: borrowing Recovery.Order,
            after attempt: EndedAttempt,
            _ memory: Recovery.Memory,
            _ noted: RetryDecision?,
            _ ownChoice: Bool
        ) {
            sends += 1
            reasons[order.reason, default: 0] += 1
            #expect(order.request.body.canBeSent, "a body that was sent, seed \(seed)")
            if let end { #expect(now + order.delay < end || order.delay == .zero, "after the deadline, seed \(seed)") }
            let isSafe = request.idempotencyKey != nil || RetryPolicy.idempotentMethods.contains(request.method)
            if order.reason == .retry, !ownChoice {
                #expect(
                    !mayHaveArrived || isSafe || attempt.status == nil && !arrived(attempt) || isRefused(attempt),
                    "blindly, seed \(seed)"
                )
                if let policy = rules.retry?.policy {
                    if let most = policy.limit { #expect(reasons[.retry] ?? 0 <= most, "seed \(seed)") }
                    if let most = policy.maxWait, noted?.source != nil { #expect(order.delay <= most, "seed \(seed)") }
                    if let most = policy.maxTime { #expect(now - started + order.delay <= most, "seed \(seed)") }
                }
            }
            if order.reason == .retry {
                #expect(attempt.retries && rules.retry != nil && order.delay == noted?.delay, "seed \(seed)")
            }
            #expect(reasons[.redirect] ?? 0 <= rules.redirect.redirects.limit, "seed \(seed)")
            #expect(reasons[.challenge] ?? 0 <= rules.challengeLimit, "seed \(seed)")
            // The memory contains what was sent.
            #expect(memory.retries == reasons[.retry] ?? 0, "seed \(seed)")
            #expect(memory.challenges == reasons[.challenge] ?? 0, "seed \(seed)")
            #expect(memory.redirects.count == reasons[.redirect] ?? 0, "seed \(seed)")
            #expect(memory.refusedAuthors == refused, "seed \(seed)")
            let hasLeft = memory.redirects.haveLeft(order.request.origin)
            if hasLeft { #expect(order.request.headers["X-Secret"] == nil, "seed \(seed)") }
            if order.request.origin != isHome { #expect(hasLeft, "seed \(seed)") }
        }

        /// Whether the server refused the request of this attempt without carrying it out.
        private func isRefused(_ attempt: EndedAttempt) -> Bool {
            switch attempt.status?.code {
            case 429: true
            case 403, 503: attempt.headers[.retryAfter] != nil
            default: false
            }
        }

        /// Whether a server may have the request of this attempt.
        private func arrived(_ attempt: EndedAttempt) -> Bool {
            guard let error = attempt.error else { return true }
            return (error as? CumulusError)?.isUnsent != true
        }
    }
}

extension EndedAttempt {
    fileprivate var error: (any Error)? { if case .failed(let error) = outcome { error } else { nil } }
}
