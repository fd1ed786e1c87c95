// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long a server asks its clients to wait, and in which field.
///
/// Negative, malformed or past values are ignored.
struct ServerTiming: Sendable, Hashable {
    let wait: Duration
    let field: String

    /// Parses a response's fields; `nil` if they have no wait.
    ///
    /// Dates are relative to the server's own `Date`, so that differing clocks do no harm; `now` replaces a missing
    /// one.
    init?(_ headers: HTTPFields, status: HTTPResponse.Status, now: Date) {
        let told = ServerTiming.told(headers, now)
        guard let found = told ?? (ServerTiming.isBusy(status) ? ServerTiming.reset(headers, now) : nil) else {
            return nil
        }
        (wait, field) = found
    }

    private static func isBusy(_ status: HTTPResponse.Status) -> Bool {
        status == .tooManyRequests || status == .serviceUnavailable
    }

    /// The wait in `Retry-After` and similar fields.
    static func told(_ headers: HTTPFields, _ now: Date) -> (wait: Duration, field: String)? {
        for name in ["Retry-After-Ms", "X-Ms-Retry-After-Ms"] {
            let waits = values(name, headers).compactMap { decimal($0).map { Duration.seconds($0 / 1_000) } }
            if let wait = longest(waits) { return (wait, name) }
        }
        let waits = values("Retry-After", headers).compactMap { text in
            decimal(text).map { .seconds($0) } ?? span(to: text, headers, now)
        }
        return longest(waits).map { ($0, "Retry-After") }
    }

    /// When the server's limit resets, if nothing of it is left.
    private static func reset(_ headers: HTTPFields, _ now: Date) -> (Duration, String)? {
        let all = values("RateLimit", headers).flatMap { RateLimitItem.items(of: $0) }
        let waits = all.filter { ($0.remaining ?? 0) == 0 }.compactMap(\.reset).map { Duration.seconds($0) }
        if let wait = longest(waits) { return (wait, "RateLimit") }
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            let remaining = values("\(prefix)-Remaining", headers).compactMap(decimal)
            guard remaining.allSatisfy({ $0 == 0 }) else { continue }
            let waits = values("\(prefix)-Reset", headers).compactMap { span(ofReset: $0, headers, now) }
            if let wait = longest(waits) { return (wait, "\(prefix)-Reset") }
        }
        let waitsOfKinto = values("Backoff", headers).compactMap { decimal($0).map { Duration.seconds($0) } }
        return longest(waitsOfKinto).map { ($0, "Backoff") }
    }

    /// The longest of some waits, a year at most.
    static func longest(_ waits: [Duration]) -> Duration? {
        // No wait is longer than a year, and clocks have a limited range.
        waits.max().flatMap { $0 > .zero ? min($0, .seconds(31_536_000)) : nil }
    }

    private static func values(_ name: String, _ headers: HTTPFields) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// The time from the server's present to a date, in any of the three formats (RFC 9110 section 5.6.7).
    private static func span(to text: String, _ headers: HTTPFields, _ now: Date) -> Duration? {
        HTTPDate(parsing: text, now: now).map { .seconds($0.secondsSince1970 - present(headers, now)) }
    }

    /// Services send seconds from now, or since 1970, or milliseconds since 1970, or a date.
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
