// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// One call of a random sequence: what is asked, under which settings, and what the server does at each arrival.
///
/// The same seed and number make the same plan.
struct FaultPlan: Sendable {
    /// What the server does with a request that has arrived.
    enum Fault: CaseIterable, Sendable {
        case none, closed, closedInHead, reset, cut, cutByReset
        case misdirected, timedOut, expectation, busy, busyForLong, failed
        /// Redirects to the same origin, and to the other one.
        case near, away
        /// The whole answer, after which the connection is closed without a word.
        case farewell
        /// The call is cancelled, and the deadline passes, before the answer.
        case cancelled, late
    }

    enum Payload: CaseIterable, Sendable { case none, bytes, restartable, once }
    enum Use: CaseIterable, Sendable { case memory, stream, file }

    let number: Int
    let method: HTTPRequest.Method
    let hasKey: Bool
    let payload: Payload
    let use: Use
    let retries: Int
    let redirects: Int
    /// Whether an interceptor asks for something else, and then again, when the server has failed, at a limit of one.
    let isIntercepted: Bool
    /// Whether the server is asked for permission first; then it answers before it reads the body.
    let expects: Bool
    let waitsForPermission: Bool
    let redirectStatus: HTTPResponse.Status
    let content: [UInt8]
    private let faults: [Fault]

    init(_ number: Int, seed: UInt64) {
        var random = SplitMix(state: seed &+ UInt64(number) &* 0x1_0000_0001)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        func oneOf(_ count: UInt64) -> Bool { random.next() % count == 0 }
        self.number = number
        method = pick([.get, .get, .get, .post, .post, .put, .delete, .patch])
        hasKey = oneOf(3)
        payload = method == .get || method == .delete ? .none : pick(Payload.allCases)
        use = method == .get ? pick(Use.allCases) : pick([.memory, .memory, .stream])
        retries = Int(random.next() % 4)
        redirects = Int(random.next() % 4)
        isIntercepted = use != .file && oneOf(4)
        expects = payload != .none && oneOf(2)
        waitsForPermission = oneOf(2)
        redirectStatus = pick([.movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect])
        let count = method == .get && oneOf(2) ? 70_000 : 100
        content = (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7 &+ $0 >> 8) }
        faults = (0..<8).map { _ in oneOf(4) ? .none : pick(Fault.allCases) }
    }

    /// What happens at an arrival, counted from 0.
    func fault(at arrival: Int) -> Fault { arrival < faults.count ? faults[arrival] : .none }

    /// Whether twice has the same effect as once.
    func isIdempotent(_ method: HTTPRequest.Method) -> Bool { hasKey || method != .post && method != .patch }

    var path: String { "/\(expects ? "asked" : "plain")/\(number)" }
}

extension FaultPlan: CustomStringConvertible {
    var description: String {
        let hooks = (isIntercepted ? " intercepted" : "") + (expects ? " asking" : "")
        return "call \(number): \(method)\(hasKey ? " with a key" : "") \(payload) \(use)\(hooks), \(retries) retries, "
            + "\(redirects) redirects (\(redirectStatus.code)), \(content.count) bytes, \(faults)"
    }
}
