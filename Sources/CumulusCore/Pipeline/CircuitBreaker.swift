// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Stops sending requests to an origin that keeps failing, and tries it again after a pause: an interceptor.
///
/// ```swift
/// let breaker = CircuitBreaker(failures: 5, pause: .seconds(30))
/// site.setRules { $0.interceptors.append(breaker.intercept) }
/// ```
///
/// After a number of failed attempts in a row, the origin's attempts fail at once with ``CircuitOpen``, which isn't
/// retried, so that neither callers nor the server wait for each other. After the pause, one attempt is sent as a probe:
/// if it succeeds, all are sent again; otherwise, another pause begins. An attempt fails if no response arrives, or one
/// with the status 500, 502, 503 or 504. A cancelled attempt counts as neither, nor does one that a hook refuses, or
/// that waits too long for a permit or a connection of this program.
public final class CircuitBreaker: Sendable {
    /// The attempts to an origin so far.
    private struct Circuit {
        /// Failed attempts in a row.
        var failures = 0
        /// The end of the pause; `nil` if attempts are sent.
        var opensAgain: ContinuousClock.Instant?
        /// Whether a probe is on its way.
        var isProbing = false
        var lastUsed: ContinuousClock.Instant
    }

    /// The most origins; the one that was used the longest ago is forgotten first.
    private static let mostOrigins = 256

    private let failures: Int
    private let pause: Duration
    private let clock: any RequestClock
    private let circuits = Mutex<[Origin: Circuit]>([:])

    /// Makes a circuit breaker for all origins to which its requests are sent, each counted apart.
    ///
    /// - Parameters:
    ///   - failures: The number of failed attempts in a row that start the pause; at least 1. Default: 5.
    ///   - pause: The time without attempts. Default: 30 seconds.
    ///   - clock: The clock of the pause; tests use `ManualClock` of CumulusTesting.
    public init(failures: Int = 5, pause: Duration = .seconds(30), clock: any RequestClock = SystemClock()) {
        self.failures = max(1, failures)
        self.pause = pause
        self.clock = clock
    }

    /// Sends an attempt, unless its origin is in a pause.
    ///
    /// - Throws: ``CircuitOpen`` in a pause; the errors of the attempt.
    public func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
        let origin = request.origin
        let isProbe = try begin(origin)
        do {
            let response = try await next(request)
            end(origin, isProbe, failed: [500, 502, 503, 504].contains(response.head.status.code))
            return response
        } catch {
            end(origin, isProbe, failed: Self.concernsServer(error) ? true : nil)
            throw error
        }
    }

    /// The end of the pause of an origin; `nil` if its attempts are sent.
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
    /// - Returns: Whether it is the probe after a pause.
    /// - Throws: ``CircuitOpen`` in a pause, and while the probe is on its way.
    private func begin(_ origin: Origin) throws -> Bool {
        let now = clock.now
        return try circuits.withLock { circuits in
            guard var circuit = circuits[origin], let end = circuit.opensAgain else { return false }
            circuit.lastUsed = now
            defer { circuits[origin] = circuit }
            guard now >= end, !circuit.isProbing else {
                let remaining = max(.zero, now.duration(to: end))
                throw CircuitOpen(origin: origin, failures: circuit.failures, remaining: remaining)
            }
            circuit.isProbing = true
            return true
        }
    }

    /// Counts the result of an attempt; `nil` for one that doesn't count.
    private func end(_ origin: Origin, _ isProbe: Bool, failed: Bool?) {
        let now = clock.now
        circuits.withLock { circuits in
            guard let failed else {
                if isProbe { circuits[origin]?.isProbing = false }
                return
            }
            guard failed else {
                circuits[origin] = nil
                return
            }
            if circuits[origin] == nil, circuits.count >= Self.mostOrigins,
                let oldest = circuits.min(by: { $0.value.lastUsed < $1.value.lastUsed })
            {
                circuits[oldest.key] = nil
            }
            var circuit = circuits[origin] ?? Circuit(lastUsed: now)
            circuit.failures += 1
            circuit.lastUsed = now
            if isProbe { circuit.isProbing = false }
            if isProbe || (circuit.opensAgain == nil && circuit.failures >= failures) {
                circuit.opensAgain = now.advanced(by: pause)
            }
            circuits[origin] = circuit
        }
    }
}

/// The refusal of a request to an origin that keeps failing: the cause of an error with
/// ``CumulusError/Code/interception``.
public struct CircuitOpen: Error, Sendable, Hashable {
    /// The origin.
    public let origin: Origin
    /// How many attempts have failed in a row.
    public let failures: Int
    /// The time until an attempt is sent again as a probe; zero while the probe is on its way.
    public let remaining: Duration
}

extension CircuitOpen: CustomStringConvertible {
    /// The reason, and how long it lasts.
    public var description: String {
        let failed = failures == 1 ? "an attempt has failed" : "\(failures) attempts in a row have failed"
        let wait = remaining == .zero ? "one attempt tries it now" : "it is tried again in \(SpokenDuration(remaining))"
        return "nothing is sent to \(origin): \(failed), and \(wait)"
    }
}
