// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// An interceptor that stops sending requests to an origin that keeps failing, and tries it again after a pause.
///
/// ```swift
/// let breaker = CircuitBreaker(failures: 5, pause: .seconds(30))
/// site.setRules { $0.interceptors.append(breaker.intercept) }
/// ```
///
/// After a number of failed attempts in a row, attempts for the origin fail immediately with ``CircuitOpen``, which
/// isn't retried, so that callers don't wait, and the server can recover. After the pause, one attempt is sent as a
/// probe: if it succeeds, all attempts are sent again; otherwise, another pause begins. An attempt fails if no response
/// arrives, or if the response has the status 500, 502, 503 or 504. An attempt counts as neither a success nor a
/// failure if it is cancelled, a hook refuses it, it waits too long for a permit or a connection of this program, or it
/// ends with the ``Resource/Settings/deadline``. Use ``Resource/Settings/timeout`` for servers that don't respond.
public final class CircuitBreaker: Sendable {
    /// The attempts to an origin so far.
    private struct Circuit {
        /// Failed attempts in a row.
        var failures = 0
        /// The end of the pause; `nil` if attempts are sent.
        var opensAgain: ContinuousClock.Instant?
        /// The number of the probe that is on its way; `nil` if none is.
        var probe: UInt64?
        var lastUsed: ContinuousClock.Instant
    }

    /// The most origins; the one that was used the longest ago is forgotten first.
    private static let mostOrigins = 256

    private let failures: Int
    private let pause: Duration
    private let clock: any RequestClock
    private let circuits = Mutex<[Origin: Circuit]>([:])
    private let lastProbe = Atomic<UInt64>(0)

    /// Creates a circuit breaker for all origins to which requests are sent; each origin is counted separately.
    ///
    /// - Parameters:
    ///   - failures: The number of failed attempts in a row that start the pause; at least 1. Default: 5.
    ///   - pause: The time without attempts. Default: 30 seconds.
    ///   - clock: The clock for the pause; in tests, `ManualClock` from CumulusTesting.
    public init(failures: Int = 5, pause: Duration = .seconds(30), clock: any RequestClock = SystemClock()) {
        self.failures = max(1, failures)
        self.pause = pause
        self.clock = clock
    }

    /// Sends an attempt, unless its origin is paused.
    ///
    /// - Throws: ``CircuitOpen`` during a pause; the errors of the attempt.
    public func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
        let origin = request.origin
        let probe = try begin(origin)
        do {
            let response = try await next(request)
            end(origin, probe, failed: [500, 502, 503, 504].contains(response.head.status.code))
            return response
        } catch {
            end(origin, probe, failed: Self.concernsServer(error) ? true : nil)
            throw error
        }
    }

    /// Returns the instant at which an origin's pause ends; `nil` if attempts are sent to the origin.
    public func openUntil(_ origin: Origin) -> ContinuousClock.Instant? {
        circuits.withLock { $0[origin]?.opensAgain }
    }

    /// Whether an error is the server's or the network's, not that of a hook or of a limit in this program.
    private static func concernsServer(_ error: any Error) -> Bool {
        guard let error = error as? CumulusError else { return false }
        if error.phase == .poolWait || error.phase == .rateLimit { return false }
        return [.unreachable, .connection, .timeout].contains(error.kind)
    }

    /// Notes that an attempt begins.
    ///
    /// - Returns: The number of the probe after a pause; `nil` for another attempt.
    /// - Throws: ``CircuitOpen`` in a pause, and while the probe is running.
    private func begin(_ origin: Origin) throws -> UInt64? {
        let now = clock.now
        return try circuits.withLock { circuits in
            guard var circuit = circuits[origin], let end = circuit.opensAgain else { return nil }
            circuit.lastUsed = now
            defer { circuits[origin] = circuit }
            guard now >= end, circuit.probe == nil else {
                let remaining = max(.zero, now.duration(to: end))
                throw CircuitOpen(origin: origin, failures: circuit.failures, remaining: remaining)
            }
            circuit.probe = lastProbe.wrappingAdd(1, ordering: .relaxed).newValue
            return circuit.probe
        }
    }

    /// Counts the result of an attempt; `nil` for one that doesn't count.
    private func end(_ origin: Origin, _ probe: UInt64?, failed: Bool?) {
        let now = clock.now
        circuits.withLock { circuits in
            // In a pause, only its probe counts: other attempts began before it.
            if let circuit = circuits[origin], circuit.opensAgain != nil {
                guard let probe, circuit.probe == probe else { return }
                circuits[origin]?.probe = nil
            } else if probe != nil {
                return
            }
            guard let failed else { return }
            guard failed else {
                circuits[origin] = nil
                return
            }
            if circuits[origin] == nil { Self.makeRoom(in: &circuits) }
            var circuit = circuits[origin] ?? Circuit(lastUsed: now)
            circuit.failures += 1
            circuit.lastUsed = now
            if probe != nil || circuit.failures >= failures { circuit.opensAgain = now.advanced(by: pause) }
            circuits[origin] = circuit
        }
    }

    /// Forgets an origin if there are too many: one without a pause, if there is one.
    private static func makeRoom(in circuits: inout [Origin: Circuit]) {
        guard circuits.count >= mostOrigins else { return }
        let oldest = circuits.min { one, other in
            let pauses = (one.value.opensAgain != nil, other.value.opensAgain != nil)
            return pauses.0 == pauses.1 ? one.value.lastUsed < other.value.lastUsed : !pauses.0
        }
        if let oldest { circuits[oldest.key] = nil }
    }
}

/// The refusal of a request to an origin that keeps failing: the cause of an error with
/// ``CumulusError/Code/interception``.
public struct CircuitOpen: Error, Sendable, Hashable {
    /// The origin that keeps failing.
    public let origin: Origin
    /// The number of attempts that have failed in a row.
    public let failures: Int
    /// The time until an attempt is sent again as a probe; zero while the probe is running.
    public let remaining: Duration
}

extension CircuitOpen: CustomStringConvertible {
    /// The reason, and how long it lasts.
    public var description: String {
        let failed = failures == 1 ? "an attempt has failed" : "\(failures) attempts in a row have failed"
        let wait =
            remaining == .zero
            ? "another attempt is now testing the origin"
            : "the next attempt is allowed in \(SpokenDuration(remaining))"
        return "nothing is sent to \(origin): \(failed), and \(wait)"
    }
}
