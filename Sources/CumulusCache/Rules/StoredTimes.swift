// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The age of a response when it arrived, and the time for which it stays fresh (RFC 9111 section 4.2).
struct StoredTimes: Sendable, Hashable {
    /// The age at its arrival, in seconds (`corrected_initial_age`).
    let initialAge: Int64
    /// The time for which the response is fresh, in seconds, counted from an age of 0.
    let lifetime: Int64
    /// Whether the server has sent neither a lifetime, nor a date from which one can be estimated.
    let isSilent: Bool
    /// Whether the lifetime is an estimate.
    let isGuessed: Bool
    /// The date when the server made the response, in seconds since 1970; the date of its arrival if that isn't known.
    let date: Int64
    /// The same, but not later than the arrival: responses of a server whose clock is ahead aren't always the newest.
    let made: Int64

    /// The longest estimate: a week.
    static let longestGuess: Int64 = 7 * 86_400

    /// - Parameters:
    ///   - status: The response's status.
    ///   - fields: Its fields.
    ///   - directives: The directives of its `Cache-Control`.
    ///   - arrival: The date when its head had arrived.
    ///   - delay: The time between request and response, in seconds.
    init(
        status: Int,
        fields: HTTPFields,
        directives: CacheDirectives,
        arrival: Date,
        delay: Int64
    ) {
        let arrived = HTTPDate(arrival).secondsSince1970
        let date = StoredTimes.first(.date, in: fields).flatMap { StoredTimes.seconds($0, arrival) } ?? arrived
        self.date = date
        made = min(date, arrived)
        let age = StoredTimes.age(fields)
        initialAge = max(0, arrived - date, age + min(max(0, delay), DeltaSeconds.most))

        let mayGuess = CacheableStatus.isHeuristic(status) || directives.isPublic
        let expires = fields[values: .expires]
        if let maxAge = directives.maxAge {
            (lifetime, isGuessed, isSilent) = (maxAge, false, false)
        } else if !expires.isEmpty {
            // An invalid date is treated as one in the past (section 5.3); of several, the earliest is used.
            let ends = expires.map { StoredTimes.isExact($0) ? StoredTimes.seconds($0, arrival) ?? 0 : 0 }
            lifetime = min(max(0, (ends.min() ?? 0) - date), DeltaSeconds.most)
            (isGuessed, isSilent) = (false, false)
        } else if mayGuess, let changed = fields.line(.lastModified).flatMap({ StoredTimes.seconds($0, arrival) }),
            changed <= date
        {
            lifetime = min((date - changed) / 10, StoredTimes.longestGuess)
            (isGuessed, isSilent) = (true, false)
        } else {
            (lifetime, isGuessed, isSilent) = (0, false, mayGuess)
        }
    }

    /// The first member of the first `Age`; 0 if that is not a number (section 5.1).
    private static func age(_ fields: HTTPFields) -> Int64 {
        guard let line = first(.age, in: fields) else { return 0 }
        return DeltaSeconds.read(line.before(",").trimmed) ?? 0
    }

    private static func first(_ name: HTTPField.Name, in fields: HTTPFields) -> String? {
        fields.first { $0.name == name }?.value
    }

    private static func seconds(_ text: String, _ now: Date) -> Int64? {
        let trimmed = text.trimmed
        // Most values have nothing to trim, and need no copy.
        let isWhole = trimmed.utf8.count == text.utf8.count
        return HTTPDate(parsing: isWhole ? text : String(trimmed), now: now)?.secondsSince1970
    }

    /// Whether a date has the required time zone; `HTTPDate` also reads the formats of mail programs.
    private static func isExact(_ text: String) -> Bool {
        text.lowercased().trimmed.ends(with: " gmt") || !text.has(",")
    }
}

/// The rules for statuses.
enum CacheableStatus {
    /// Whether a response may be stored without explicit permission (RFC 9110 section 15.1).
    static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether a response only concerns one request or one moment, so that it is never stored: parts and confirmations,
    /// credentials (401, 407), a request that came late or whose conditions failed (408, 412, 416), and the statuses of
    /// RFC 6585.
    static func isOfOneRequest(_ status: Int) -> Bool {
        [206, 304, 401, 407, 408, 412, 416, 428, 429, 431, 511].contains(status)
    }

    /// Whether this cache understands a status as far as storing it requires: those of RFC 9110, and a few others.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 307, 308, 400, 402...406, 409...411, 413...415, 417, 421, 422, 425, 426, 451,
            500...505:
            true
        default: false
        }
    }
}
