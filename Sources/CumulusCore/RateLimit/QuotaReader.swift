// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses the quotas in the fields of a response, for the rate limit and for retries.
struct QuotaReader {
    /// The maximum length of a field.
    private static let longest = 4_096
    private static let mostNumbers = 16

    private let headers: HTTPFields
    private let now: Date

    init(_ headers: HTTPFields, _ now: Date) {
        self.headers = headers
        self.now = now
    }

    /// The quota; `nil` if the response doesn't contain one.
    func quota(_ status: HTTPResponse.Status) -> RequestQuota? {
        let dialects = QuotaDialect.all.lazy.filter(\.countsRequests)
        var found = draft() ?? dialects.compactMap(quota(in:)).first ?? shopify()
        if status.code >= 400, let wait = ServerTiming.retryAfter(headers, now)?.wait {
            var quota = found ?? RequestQuota()
            quota.retryAfter = wait
            found = quota
        }
        return found
    }

    /// The longest time until a used-up limit of any unit resets, and the field that contains it.
    ///
    /// With `evenUncounted`, a limit without a remaining count is treated as used up.
    func exhaustion(evenUncounted: Bool) -> (wait: Duration, field: String)? {
        func isUsedUp(_ remaining: Int64?) -> Bool { remaining.map { $0 == 0 } ?? evenUncounted }
        let items = members(.rateLimit).filter { isUsedUp($0.remaining) }.compactMap(\.reset)
        var found = items.map { (wait: Duration.seconds($0), field: "RateLimit") }
        for dialect in QuotaDialect.all {
            guard let field = (dialect.reset ?? dialect.resetAfter)?.rawName else { continue }
            let (remaining, resets) = (numbers(dialect.remaining), resets(dialect))
            let isList = remaining.count == resets.count
            for (index, reset) in resets.enumerated() {
                // If several limits have one reset, it is that of the used-up one.
                let isDue =
                    isList ? isUsedUp(remaining[index]) : remaining.isEmpty || remaining.contains(where: isUsedUp)
                if let reset, isDue, evenUncounted || !remaining.isEmpty { found.append((reset, field)) }
            }
        }
        guard let longest = found.max(by: { $0.wait < $1.wait }) else { return nil }
        return ServerTiming.longest([longest.wait]).map { ($0, longest.field) }
    }

    /// `RateLimit: "default";r=50;t=30` and its policy, or `limit=100, remaining=50, reset=30`.
    private func draft() -> RequestQuota? {
        let items = members(.rateLimit).filter { $0.remaining != nil || $0.reset != nil }
        let policies = members(.rateLimitPolicy)
        let requestItems = items.filter { item in
            // Other limits may count bytes, or concurrent requests.
            QuotaReader.countsRequests(item) && QuotaReader.countsRequests(policies.first { $0.name == item.name })
        }
        guard let item = QuotaReader.tightest(requestItems, \.remaining, \.reset) else { return nil }
        let policy = policies.first { $0.name == item.name }
        var quota = RequestQuota()
        quota.name = item.name
        quota.remaining = item.remaining
        quota.limit = item.quota ?? policy?.quota
        quota.resetsAfter = item.reset.flatMap { ServerTiming.longest([.seconds($0)]) }
        quota.window = policy?.window.flatMap { ServerTiming.longest([.seconds($0)]) }
        return quota
    }

    private static func countsRequests(_ item: RateLimitItem?) -> Bool {
        item?.unit.map { $0.utf8.elementsEqual("requests".utf8) } ?? true
    }

    private func members(_ name: HTTPField.Name?) -> [RateLimitItem] {
        guard let name else { return [] }
        // Bounded, since each limit is compared with each policy.
        return Array(headers[values: name].lazy.flatMap { RateLimitItem.items(of: $0) }.prefix(QuotaReader.mostNumbers))
    }

    private func quota(in dialect: QuotaDialect) -> RequestQuota? {
        let limits = numbers(dialect.limit)
        let remaining = numbers(dialect.remaining)
        guard !limits.isEmpty || !remaining.isEmpty else { return nil }
        let resets = resets(dialect)
        var quota = RequestQuota()
        // Several limits are lists in the same order.
        let rows = remaining.indices.map { index in
            (limits[at: index], remaining[index], resets.count == remaining.count ? resets[index] : resets.first ?? nil)
        }
        let row = QuotaReader.tightest(rows, { $0.1 }, { $0.2 })
        quota.limit = row.map(\.0) ?? limits.first ?? nil
        quota.remaining = row?.1
        quota.resetsAfter = row.map(\.2) ?? resets.first ?? nil
        quota.window = numbers(dialect.window).first?.flatMap { ServerTiming.longest([.milliseconds($0)]) }
        quota.name = dialect.names.lazy.compactMap { headers[values: $0].first }.first.map { text in
            String(text.unicodeScalars.prefix(PeerText.limit))
        }
        let isEmpty = quota.limit == nil && quota.remaining == nil && quota.resetsAfter == nil
        return isEmpty ? nil : quota
    }

    /// `32/40`: used and total.
    private func shopify() -> RequestQuota? {
        guard let text = HTTPField.Name.shopifyCallLimit.flatMap({ headers[values: $0].first }),
            text.utf8.count <= 64
        else { return nil }
        let numbers = text.parts(at: "/").map(QuotaReader.number)
        guard numbers.count == 2, let count = numbers[0], let limit = numbers[1] else { return nil }
        var quota = RequestQuota()
        (quota.limit, quota.remaining) = (limit, max(0, limit - count))
        return quota
    }

    /// The numbers of a list, without their parameters: `100, 100;w=60`.
    private func numbers(_ name: HTTPField.Name?) -> [Int64?] {
        parts(name).map { part in QuotaReader.number(part.parts(at: ";", most: 2)[0]) }
    }

    private func resets(_ dialect: QuotaDialect) -> [Duration?] {
        let after = parts(dialect.resetAfter).map { text in
            ServerTiming.decimal(String(text.trimmed)).flatMap { ServerTiming.longest([.seconds($0)]) }
        }
        if after.contains(where: { $0 != nil }) { return after }
        guard let name = dialect.reset else { return [] }
        // A date contains a comma itself.
        if let text = headers[values: name].first, text.utf8.count <= 64, let span = span(to: text) { return [span] }
        return parts(name).map { span(to: String($0.trimmed)) }
    }

    private func parts(_ name: HTTPField.Name?) -> [Substring] {
        guard let name else { return [] }
        let values = headers[values: name].filter { $0.utf8.count <= QuotaReader.longest }
        return Array(values.lazy.flatMap { $0.parts(at: ",") }.prefix(QuotaReader.mostNumbers))
    }

    /// The time from the response to a reset, in any notation.
    private func span(to text: String) -> Duration? {
        ServerTiming.span(ofReset: text, headers, now).flatMap { ServerTiming.longest([$0]) }
    }

    /// Digits, possibly with a fraction, which is cut off: Reddit's `99.0`.
    private static func number(_ text: Substring) -> Int64? {
        let text = text.trimmed
        guard text.utf8.count <= 64 else { return nil }
        return ServerTiming.decimal(String(text)).map { Int64($0) }
    }

    /// The item with the least left; among equals, the one that resets last.
    private static func tightest<Item, Span: Comparable>(
        _ items: [Item],
        _ remaining: (Item) -> Int64?,
        _ reset: (Item) -> Span?
    ) -> Item? {
        items.min { one, other in
            let (left, right) = (remaining(one) ?? .max, remaining(other) ?? .max)
            guard left == right else { return left < right }
            guard let first = reset(one) else { return false }
            return reset(other).map { first > $0 } ?? true
        }
    }
}

extension [Int64?] {
    fileprivate subscript(at index: Int) -> Int64? { indices.contains(index) ? self[index] : first ?? nil }
}
