// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// The field lines of a response as received, with the position of each name and value; strings are made only for
/// requested ones.
struct HTTP1FieldSection: Sendable {
    /// One line's name and value, as offsets into `bytes`.
    struct Entry: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    // One reference, since a head is passed on several times, and a closure that captures it needs no memory.
    private final class Storage: Sendable {
        let bytes: ByteBuffer
        let entries: [Entry]

        init(_ bytes: ByteBuffer, _ entries: [Entry]) { (self.bytes, self.entries) = (bytes, entries) }
    }

    private var storage: Storage

    /// The section's bytes, a slice of the receive buffer.
    var bytes: ByteBuffer { storage.bytes }
    /// The lines in order of arrival.
    var entries: [Entry] { storage.entries }

    init(bytes: ByteBuffer, entries: [Entry]) { storage = Storage(bytes, entries) }

    /// Replaces each fold within these entries' values with a space (RFC 9112 section 5.2).
    mutating func unfold(_ folded: [Int]) {
        if folded.isEmpty { return }
        var (bytes, entries) = (bytes, entries)
        bytes.withUnsafeMutableReadableBytes { raw in
            for index in folded {
                let range = Int(entries[index].valueStart)..<Int(entries[index].valueEnd)
                let end = Self.unfold(raw, range)
                // A value that begins with a fold starts after it.
                var start = range.lowerBound
                while start < end, HTTP1Syntax.isBlank(raw[start]) { start += 1 }
                entries[index].valueStart = UInt32(truncatingIfNeeded: start)
                entries[index].valueEnd = UInt32(truncatingIfNeeded: end)
            }
        }
        storage = Storage(bytes, entries)
    }

    /// Moves the text between the folds together; returns its new end.
    private static func unfold(_ raw: UnsafeMutableRawBufferPointer, _ range: Range<Int>) -> Int {
        var end = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = raw[index]
            guard byte == HTTP1Syntax.carriageReturn || byte == HTTP1Syntax.lineFeed else {
                raw[end] = byte
                end += 1
                index += 1
                continue
            }
            while end > range.lowerBound, HTTP1Syntax.isBlank(raw[end - 1]) { end -= 1 }
            while index < range.upperBound, raw[index] <= HTTP1Syntax.space { index += 1 }
            raw[end] = HTTP1Syntax.space
            end += 1
        }
        return end
    }

    /// Removes the fields with a lower-case name.
    mutating func remove(_ name: StaticString) {
        let kept = bytes.withUnsafeReadableBytes { raw in
            entries.filter { !HTTP1Syntax.matches(raw[Int($0.nameStart)..<Int($0.nameEnd)], name) }
        }
        storage = Storage(bytes, kept)
    }

    /// All fields, as callers get them.
    var httpFields: HTTPFields {
        bytes.withUnsafeReadableBytes { raw in
            var fields = HTTPFields()
            fields.reserveCapacity(entries.count)
            for entry in entries {
                let name = raw[Int(entry.nameStart)..<Int(entry.nameEnd)]
                let value = raw[Int(entry.valueStart)..<Int(entry.valueEnd)]
                // The parser only accepts tokens, so every name is valid.
                guard let name = HTTP1FieldNames.name(for: name) else { continue }
                fields.append(HTTPField(name: name, lenientValue: value))
            }
            return fields
        }
    }

    /// The values of the fields with a lower-case name, as text.
    func values(of name: StaticString) -> [String] {
        bytes.withUnsafeReadableBytes { raw in
            entries.compactMap { entry in
                guard HTTP1Syntax.matches(raw[Int(entry.nameStart)..<Int(entry.nameEnd)], name) else { return nil }
                return String(decoding: raw[Int(entry.valueStart)..<Int(entry.valueEnd)], as: UTF8.self)
            }
        }
    }

    /// The names at these positions.
    func names(at places: [Range<Int>]) -> [String] {
        bytes.withUnsafeReadableBytes { raw in places.map { String(decoding: raw[$0], as: UTF8.self) } }
    }

    /// The same section without fields that are not allowed in trailers (RFC 9110 section 6.5.1).
    func withoutForbiddenTrailers() -> HTTP1FieldSection {
        bytes.withUnsafeReadableBytes { raw in
            let kept = entries.filter { entry in
                let name = raw[Int(entry.nameStart)..<Int(entry.nameEnd)]
                return !HTTP1FieldNames.forbiddenInTrailers.contains { HTTP1Syntax.matches(name, $0) }
            }
            return HTTP1FieldSection(bytes: bytes, entries: kept)
        }
    }
}
