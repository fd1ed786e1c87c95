// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The part of a stored whole response for a request with `Range` (RFC 9110 section 14).
enum PartOfWhole: Equatable {
    /// The whole: the request has no `Range`, or the condition of `If-Range` is false.
    case whole
    /// These bytes, as a 206.
    case part(Range<Int64>)
    /// 416: the range begins after the end.
    case unsatisfiable
    /// Only the server can decide: several ranges, another unit, or an invalid range.
    case unknown

    /// - Parameters:
    ///   - request: The request's fields.
    ///   - response: The stored response.
    ///   - length: The number of bytes of its body; `nil` if it isn't known yet.
    init(_ request: HTTPFields, of response: CachedResponse, length: Int64?) {
        guard let text = request[.range] else {
            self = .whole
            return
        }
        // A part of coded bytes can't be decoded.
        guard response.status == .ok, !response.fields.contains(.contentEncoding), let length else {
            self = .unknown
            return
        }
        if let condition = EntityTag.lines(.ifRange, in: request).first, !PartOfWhole.holds(condition, for: response) {
            self = .whole
            return
        }
        guard let range = PartOfWhole.single(text, in: length) else {
            self = .unknown
            return
        }
        self = range.isEmpty ? .unsatisfiable : .part(range)
    }

    /// The range of a request for a single range; empty if it can't be satisfied, `nil` if it is invalid.
    private static func single(_ text: String, in length: Int64) -> Range<Int64>? {
        guard let parts = text.cut(at: "="), parts.before.trimmed.lowercased() == "bytes",
            let ends = parts.behind.trimmed.cut(at: "-"), !parts.behind.has(",")
        else { return nil }
        let (first, last) = (ends.before.trimmed, ends.behind.trimmed)
        if first.utf8.isEmpty {
            guard let count = number(last) else { return nil }
            return max(0, length - min(count, length))..<length
        }
        guard let start = number(first) else { return nil }
        guard !last.utf8.isEmpty else { return min(start, length)..<length }
        guard let end = number(last), end >= start else { return nil }
        return min(start, length)..<min(end, length - 1) + 1
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } && text.utf8.count <= 18
            ? Int64(text) : nil
    }

    /// Whether an `If-Range` identifies exactly these bytes (section 13.1.5).
    private static func holds(_ condition: String, for response: CachedResponse) -> Bool {
        let condition = String(condition.trimmed)
        if let tag = EntityTag.valid(condition) {
            return response.entityTag.map { EntityTag.matchStrongly($0, tag) } ?? false
        }
        guard let date = HTTPDate(parsing: condition, now: response.responseTime),
            let changed = response.lastModified.flatMap({ HTTPDate(parsing: $0, now: response.responseTime) })
        else { return false }
        // A date only identifies bytes if they can't have changed again within its second (section 8.8.2.2).
        return date == changed && response.times.date > changed.secondsSince1970
    }

    /// The fields of a 206.
    static func fields(of whole: HTTPFields, part range: Range<Int64>, length: Int64) -> HTTPFields {
        var fields = whole
        fields[.contentLength] = "\(range.upperBound - range.lowerBound)"
        fields[.contentRange] = "\(ContentRange(range.lowerBound...(range.upperBound - 1), of: length))"
        return fields
    }
}
