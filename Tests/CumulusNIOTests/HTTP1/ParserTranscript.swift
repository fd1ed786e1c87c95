// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

@testable import CumulusNIO

/// A parser's output for a run of bytes, in a form that does not depend on how the bytes were cut.
struct ParserTranscript: Equatable, CustomStringConvertible {
    var lines: [String] = []
    var error: HTTP1ProtocolError?
    var isReusable = false
    var hasUnsolicitedBytes = false

    var description: String {
        (lines + [error.map { "error \($0)" } ?? "reusable: \(isReusable)"]).joined(separator: " | ")
    }

    /// Feeds the pieces in order, and then optionally the end of the connection.
    init(
        pieces: [[UInt8]],
        kind: HTTP1RequestKind = .ordinary,
        closing: Bool = false,
        limits: HTTP1Limits = HTTP1Limits()
    ) {
        var parser = HTTP1ResponseParser(limits: limits)
        var content = ""
        parser.expect(kind)
        do throws(HTTP1ProtocolError) {
            for piece in pieces {
                parser.receive(ByteBuffer(bytes: piece))
                while let event = try parser.next() { note(event, &content) }
            }
            if closing, let event = try parser.finish() { note(event, &content) }
        } catch {
            self.error = error
        }
        if !content.isEmpty { lines.append("content \(content)") }
        isReusable = parser.isReusable
        hasUnsolicitedBytes = parser.hasUnsolicitedBytes
    }

    init(
        _ text: String,
        kind: HTTP1RequestKind = .ordinary,
        closing: Bool = false,
        limits: HTTP1Limits = HTTP1Limits()
    ) {
        self.init(pieces: [[UInt8](text.utf8)], kind: kind, closing: closing, limits: limits)
    }

    private mutating func note(_ event: consuming HTTP1ResponseEvent, _ content: inout String) {
        switch consume event {
        case .content(let bytes): content += String(buffer: bytes)
        case .informational(let head): add("informational \(Self.describe(head))", after: &content)
        case .head(let head, let length):
            add("head \(Self.describe(head)) length \(length.map(String.init) ?? "?")", after: &content)
        case .end(let trailers): add("end\(trailers.map { " \(Self.describe($0))" } ?? "")", after: &content)
        }
    }

    private mutating func add(_ line: String, after content: inout String) {
        if !content.isEmpty { lines.append("content \(content)") }
        content = ""
        lines.append(line)
    }

    private static func describe(_ head: HTTP1ResponseHead) -> String {
        let dropped = head.droppedFields.map { " dropped [\($0.joined(separator: ","))]" } ?? ""
        return "\(head.status) '\(head.reason)' \(describe(head.fields))\(dropped)"
    }

    private static func describe(_ fields: HTTP1FieldSection) -> String {
        "[" + fields.httpFields.map { "\($0.name.rawName)=\($0.value)" }.joined(separator: ";") + "]"
    }
}
