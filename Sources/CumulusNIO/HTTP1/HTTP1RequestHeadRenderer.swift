// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// Checks a request's head and renders it into bytes: Host first, the caller's fields in order, framing last.
enum HTTP1RequestHeadRenderer {
    /// Renders the head with its empty line.
    static func render(
        _ head: HTTP1RequestWriter.Head,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) -> HTTP1RequestWriter.Traits {
        try append(head.method, to: &buffer, orThrow: .malformedMethod, where: HTTP1Syntax.isToken)
        buffer.writeInteger(HTTP1Syntax.space)
        try renderTarget(of: head, into: &buffer)
        buffer.writeStaticString(" HTTP/1.1\r\n")
        let fieldsStart = buffer.writerIndex
        var conflicts = FieldConflicts(head)
        try renderHost(head.host, into: &buffer)
        try renderProxyAuthorization(of: head, into: &buffer)
        for field in head.fields where try conflicts.isToBeSent(field) {
            try render(field, into: &buffer)
        }
        if let own = conflicts.ownHost, own != head.host {
            // RFC 9112 section 3.2.2: a proxy uses the URL, and would replace the server's Host field with it.
            if head.form != .origin { throw .conflictingField(name: "Host") }
            // Rare: the fields are written again, after the other host.
            buffer.moveWriterIndex(to: fieldsStart)
            var again = FieldConflicts(head)
            try renderHost(own, into: &buffer)
            for field in head.fields where try again.isToBeSent(field) { try render(field, into: &buffer) }
        }
        renderFraming(of: head, into: &buffer)
        if head.expectsContinue { buffer.writeStaticString("Expect: 100-continue\r\n") }
        buffer.writeStaticString("\r\n")
        var traits = conflicts.traits
        traits.host = conflicts.ownHost
        return traits
    }

    private static func renderTarget(
        of head: HTTP1RequestWriter.Head,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) {
        if head.form != .origin {
            if head.form == .absolute { buffer.writeStaticString("http://") }
            try append(head.host, to: &buffer, orThrow: .malformedHost, where: isHostByte)
            // `OPTIONS *` is expressed by a URL without a path.
            if head.form == .authority || head.target == "*" { return }
        }
        try append(head.target, to: &buffer, orThrow: .malformedTarget, where: isTargetByte)
    }

    private static func renderProxyAuthorization(
        of head: HTTP1RequestWriter.Head,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) {
        guard let value = head.proxyAuthorization else { return }
        buffer.writeStaticString("Proxy-Authorization: ")
        try append(
            value,
            to: &buffer,
            orThrow: .malformedFieldValue(name: "Proxy-Authorization"),
            where: HTTP1Syntax.isFieldText
        )
        buffer.writeStaticString("\r\n")
    }

    private static func renderHost(_ host: String, into buffer: inout ByteBuffer) throws(HTTP1RequestError) {
        buffer.writeStaticString("Host: ")
        try append(host, to: &buffer, orThrow: .malformedHost, where: isHostByte)
        buffer.writeStaticString("\r\n")
    }

    /// Renders a line of a trailer section, unless the field is not allowed in trailers.
    static func renderTrailer(_ field: HTTPField, into buffer: inout ByteBuffer) throws(HTTP1RequestError) {
        let isForbidden = HTTP1FieldNames.forbiddenInTrailers.contains { name in
            name.withUTF8Buffer { field.name.canonicalName.utf8.elementsEqual($0) }
        }
        if isForbidden { throw .forbiddenTrailer(name: field.name.rawName) }
        try render(field, into: &buffer)
    }

    private static func render(_ field: HTTPField, into buffer: inout ByteBuffer) throws(HTTP1RequestError) {
        try append(field.name.rawName, to: &buffer, orThrow: .malformedFieldName, where: HTTP1Syntax.isToken)
        buffer.writeStaticString(": ")
        let isSound = field.withUnsafeBytesOfValue { bytes in
            // A receiver would trim white space at the ends, and so change the value.
            if let first = bytes.first, HTTP1Syntax.isBlank(first) { return false }
            if let last = bytes.last, HTTP1Syntax.isBlank(last) { return false }
            let bytes = UnsafeRawBufferPointer(bytes)
            guard HTTP1Syntax.firstNoFieldText(in: bytes) == nil else { return false }
            buffer.writeBytes(bytes)
            return true
        }
        if !isSound { throw .malformedFieldValue(name: field.name.rawName) }
        buffer.writeStaticString("\r\n")
    }

    private static func renderFraming(of head: HTTP1RequestWriter.Head, into buffer: inout ByteBuffer) {
        switch head.body {
        case .fixed(let length):
            buffer.writeStaticString("Content-Length: ")
            buffer.writeString(String(length))
            buffer.writeStaticString("\r\n")
        case .unknown:
            buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none:
            // RFC 9110 section 8.6: methods that anticipate content announce that there is none.
            if head.method == "POST" || head.method == "PUT" || head.method == "PATCH" {
                buffer.writeStaticString("Content-Length: 0\r\n")
            }
        }
    }

    /// Visible ASCII without `#`; anything else must be percent-encoded (T-27).
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#")
    }

    /// Visible ASCII without the delimiters of a URL's authority.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"): false
        default: byte > 0x20 && byte < 0x7f
        }
    }

    @inline(__always)
    private static func append(
        _ text: String,
        to buffer: inout ByteBuffer,
        orThrow error: HTTP1RequestError,
        where isAllowed: (UInt8) -> Bool
    ) throws(HTTP1RequestError) {
        // Through a buffer: iterating over a UTF-8 view takes five times as long per byte.
        var text = text
        let isSound = text.withUTF8 { bytes in
            for byte in bytes where !isAllowed(byte) { return false }
            buffer.writeBytes(UnsafeRawBufferPointer(bytes))
            return !bytes.isEmpty
        }
        if !isSound { throw error }
    }
}
