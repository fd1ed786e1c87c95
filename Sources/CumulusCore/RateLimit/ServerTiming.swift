// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The wait that a server requests of its clients, and the field that contains it.
///
/// Negative, malformed or past values are ignored.
struct ServerTiming: Sendable, Hashable {
    let wait: Duration
    let field: String

    /// Parses a response's fields; `nil` if they have no wait.
    ///
    /// For 429 and 503, the reset of a limit is used unless the limit has something left. For 403, it is used only if
    /// nothing is left, since GitHub and others refuse requests that way.
    ///
    /// Dates are relative to the server's own `Date`, so that different clocks don't matter; `now` replaces a missing
    /// one.
    init?(_ headers: HTTPFields, status: HTTPResponse.Status, now: Date) {
        let isBusy = status == .tooManyRequests || status == .serviceUnavailable
        var found = ServerTiming.retryAfter(headers, now)
        if found == nil, isBusy || status == .forbidden {
            found = QuotaReader(headers, now).exhaustion(evenUncounted: isBusy)
        }
        if found == nil, isBusy {
            let waits = ServerTiming.values("Backoff", headers).compactMap(ServerTiming.decimal)
                .map { Duration.seconds($0) }
            found = ServerTiming.longest(waits).map { ($0, "Backoff") }
        }
        guard let found else { return nil }
        (wait, field) = found
    }

    /// The wait in `Retry-After` and similar fields.
    static func retryAfter(_ headers: HTTPFields, _ now: Date) -> (wait: Duration, field: String)? {
        for name in ["Retry-After-Ms", "X-Ms-Retry-After-Ms"] {
            let waits = values(name, headers).compactMap { decimal($0).map { Duration.seconds($0 / 1_000) } }
            if let wait = longest(waits) { return (wait, name) }
        }
        let waits = values("Retry-After", headers).flatMap { text in
            // A date contains a comma itself.
            retryWait(text, headers, now).map { [$0] }
                ?? text.parts(at: ",").prefix(16).compactMap { retryWait(String($0.trimmed), headers, now) }
        }
        return longest(waits).map { ($0, "Retry-After") }
    }

    /// The wait in a `Retry-After` field, in which a number always means seconds.
    private static func retryWait(_ text: String, _ headers: HTTPFields, _ now: Date) -> Duration? {
        decimal(text).map { .seconds($0) } ?? span(to: text, headers, now)
    }

    /// The longest of several waits, at most a year.
    static func longest(_ waits: [Duration]) -> Duration? {
        // No wait is longer than a year, and clocks have a limited range.
        waits.max().flatMap { $0 > .zero ? min($0, .seconds(31_536_000)) : nil }
    }

    private static func values(_ name: String, _ headers: HTTPFields) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// The time from the server's current date to a date, in HTTP's formats or ISO 8601, or a duration with its unit:
    /// `3s`.
    private static func span(to text: String, _ headers: HTTPFields, _ now: Date) -> Duration? {
        guard text.utf8.count <= 64 else { return nil }
        if let date = HTTPDate(parsing: text, now: now) {
            return .seconds(date.secondsSince1970 - present(headers, now))
        }
        if let span = SpanText(text) { return span.duration }
        return ISO8601Date.date(text).map { .seconds($0.timeIntervalSince1970 - Double(present(headers, now))) }
    }

    /// The time until a reset.
    ///
    /// Services send seconds from now, or since 1970, or milliseconds since 1970, or a date, or a duration.
    static func span(ofReset text: String, _ headers: HTTPFields, _ now: Date) -> Duration? {
        guard let number = decimal(text) else { return span(to: text, headers, now) }
        if number < 1e8 { return .seconds(number) }
        let seconds = number < 1e11 ? number : number / 1_000
        return .seconds(seconds - Double(present(headers, now)))
    }

    /// The server's clock, in seconds since 1970.
    static func present(_ headers: HTTPFields, _ now: Date) -> Int64 {
        headers[.date].flatMap { HTTPDate(parsing: $0, now: now) }?.secondsSince1970 ?? HTTPDate(now).secondsSince1970
    }

    /// A decimal number, possibly with a fraction; limited to a hundred years of seconds.
    static func decimal(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 } }) else { return nil }
        var number = 0.0
        for digit in parts[0] { number = min(number * 10 + Double(digit &- 0x30), 4e15) }
        guard parts.count > 1 else { return number }
        var place = 0.1
        for digit in parts[1].prefix(9) {
            number += Double(digit &- 0x30) * place
            place /= 10
        }
        return number
    }
}

extension Response {
    /// The wait before the next request, if the server requests one.
    package var requestedWait: Duration? { ServerTiming(headers, status: status, now: Date())?.wait }
}
