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
        var traits = HTTP1RequestWriter.Traits()
        try write(into: &buffer) { space throws(HTTP1RequestError) in traits = try render(head, into: &space) }
        return traits
    }

    /// Renders the lines of a trailer section, without its empty line.
    static func renderTrailers(_ trailers: HTTPFields, into buffer: inout ByteBuffer) throws(HTTP1RequestError) {
        try write(into: &buffer) { space throws(HTTP1RequestError) in
            for field in trailers { try renderTrailer(field, into: &space) }
        }
    }

    /// Refuses trailers that the fields of a head announce and that are not allowed, so that nothing of the request is sent.
    static func checkTrailers(announcedBy fields: HTTPFields) throws(HTTP1RequestError) {
        for field in fields[fields: .trailer] {
            let forbidden = field.withUnsafeBytesOfValue { bytes in
                var forbidden: StaticString?
                HTTP1Syntax.forEachElement(of: UnsafeRawBufferPointer(bytes)[...]) { name in
                    let found = HTTP1FieldNames.forbiddenInTrailers.first { HTTP1Syntax.matches(name, $0) }
                    forbidden = forbidden ?? found
                }
                return forbidden
            }
            if let forbidden { throw .forbiddenTrailer(name: "\(forbidden)") }
        }
    }

    /// Renders into the buffer's memory, and once more with enough room if there was too little.
    @inline(__always)
    private static func write(
        into buffer: inout ByteBuffer,
        _ render: (inout HTTP1HeadSpace) throws(HTTP1RequestError) -> Void
    ) throws(HTTP1RequestError) {
        var (needed, isWhole) = (usualSize, false)
        while !isWhole {
            var failure: HTTP1RequestError?
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: needed) { memory in
                var space = HTTP1HeadSpace(memory)
                do throws(HTTP1RequestError) { try render(&space) } catch { failure = error }
                (needed, isWhole) = (space.count, space.isWhole)
                return isWhole && failure == nil ? needed : 0
            }
            if let failure { throw failure }
        }
    }

    /// Enough for most heads.
    private static let usualSize = 512

    @inline(__always)
    private static func render(
        _ head: HTTP1RequestWriter.Head,
        into space: inout HTTP1HeadSpace
    ) throws(HTTP1RequestError) -> HTTP1RequestWriter.Traits {
        try append(head.method, to: &space, orThrow: .malformedMethod) { HTTP1Syntax.isToken($0) }
        space.write(" ")
        try renderTarget(of: head, into: &space)
        space.write(" HTTP/1.1\r\n")
        let fieldsStart = space.count
        var conflicts = FieldConflicts(head)
        try renderHost(head.host, into: &space)
        try renderProxyAuthorization(of: head, into: &space)
        for field in head.fields where try conflicts.isToBeSent(field) {
            try render(field, into: &space)
        }
        if let own = conflicts.ownHost, own != head.host {
            // RFC 9112 section 3.2.2: a proxy uses the URL, and would replace the server's Host field with it.
            if head.form != .origin { throw .conflictingField(name: "Host") }
            // Rare: the fields are written again, after the other host.
            space.rewind(to: fieldsStart)
            var again = FieldConflicts(head)
            try renderHost(own, into: &space)
            for field in head.fields where try again.isToBeSent(field) { try render(field, into: &space) }
        }
        renderFraming(of: head, into: &space)
        if head.expectsContinue { space.write("Expect: 100-continue\r\n") }
        space.write("\r\n")
        var traits = conflicts.traits
        traits.host = conflicts.ownHost
        return traits
    }

    private static func renderTarget(
        of head: HTTP1RequestWriter.Head,
        into space: inout HTTP1HeadSpace
    ) throws(HTTP1RequestError) {
        if head.form != .origin {
            if head.form == .absolute { space.write("http://") }
            try append(head.host, to: &space, orThrow: .malformedHost, if: isHost)
            // `OPTIONS *` is expressed by a URL without a path.
            if head.form == .authority || head.target == "*" { return }
        }
        try append(head.target, to: &space, orThrow: .malformedTarget, if: isTarget)
    }

    private static func renderProxyAuthorization(
        of head: HTTP1RequestWriter.Head,
        into space: inout HTTP1HeadSpace
    ) throws(HTTP1RequestError) {
        guard let value = head.proxyAuthorization else { return }
        space.write("Proxy-Authorization: ")
        try append(value, to: &space, orThrow: .malformedFieldValue(name: "Proxy-Authorization")) {
            HTTP1Syntax.firstNoFieldText(in: $0) == nil
        }
        space.write("\r\n")
    }

    private static func renderHost(_ host: String, into space: inout HTTP1HeadSpace) throws(HTTP1RequestError) {
        space.write("Host: ")
        try append(host, to: &space, orThrow: .malformedHost, if: isHost)
        space.write("\r\n")
    }

    /// Renders a line of a trailer section, unless the field is not allowed in trailers.
    private static func renderTrailer(_ field: HTTPField, into space: inout HTTP1HeadSpace) throws(HTTP1RequestError) {
        let isForbidden = HTTP1FieldNames.forbiddenInTrailers.contains { name in
            name.withUTF8Buffer { field.name.canonicalName.utf8.elementsEqual($0) }
        }
        if isForbidden { throw .forbiddenTrailer(name: field.name.rawName) }
        try render(field, into: &space)
    }

    private static func render(_ field: HTTPField, into space: inout HTTP1HeadSpace) throws(HTTP1RequestError) {
        try append(field.name.rawName, to: &space, orThrow: .malformedFieldName) { HTTP1Syntax.isToken($0) }
        space.write(": ")
        let isSound = field.withUnsafeBytesOfValue { bytes in
            // A receiver would trim white space at the ends, and so change the value.
            if let first = bytes.first, HTTP1Syntax.isBlank(first) { return false }
            if let last = bytes.last, HTTP1Syntax.isBlank(last) { return false }
            let bytes = UnsafeRawBufferPointer(bytes)
            guard HTTP1Syntax.firstNoFieldText(in: bytes) == nil else { return false }
            space.write(bytes)
            return true
        }
        if !isSound { throw .malformedFieldValue(name: field.name.rawName) }
        space.write("\r\n")
    }

    private static func renderFraming(of head: HTTP1RequestWriter.Head, into space: inout HTTP1HeadSpace) {
        switch head.body {
        case .fixed(let length):
            space.write("Content-Length: ")
            space.write(text: String(length))
            space.write("\r\n")
        case .unknown:
            space.write("Transfer-Encoding: chunked\r\n")
        case .none:
            // RFC 9110 section 8.6: methods that anticipate content announce that there is none.
            // Most are GET, and equal strings compare faster than different ones.
            if head.method == "GET" { return }
            if head.method == "POST" || head.method == "PUT" || head.method == "PATCH" {
                space.write("Content-Length: 0\r\n")
            }
        }
    }

    /// Whether the bytes are visible ASCII without `#`; anything else must be percent-encoded.
    @inline(__always)
    private static func isTarget(_ bytes: UnsafeRawBufferPointer) -> Bool {
        HTTP1Syntax.areAllowed(
            bytes,
            marked: { HTTP1Syntax.marks(in: $0, 0x21...0x7e) & ~HTTP1Syntax.marks(in: $0, 0x23...0x23) },
            { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
        )
    }

    /// Whether all bytes are allowed in an authority.
    @inline(__always)
    private static func isHost(_ bytes: UnsafeRawBufferPointer) -> Bool {
        HTTP1Syntax.areAllowed(
            bytes,
            // Letters, digits, colons, hyphens and dots.
            marked: {
                HTTP1Syntax.letters(in: $0) | HTTP1Syntax.marks(in: $0, 0x30...0x3a)
                    | HTTP1Syntax.marks(in: $0, 0x2d...0x2e)
            },
            isHostByte
        )
    }

    /// Visible ASCII without the delimiters of a URL's authority.
    @inline(__always)
    private static func isHostByte(_ byte: UInt8) -> Bool {
        // One bit for each ASCII character.
        let low: UInt64 = 0x7fff_7ff6_0000_0000
        let high: UInt64 = 0x7fff_ffff_efff_fffe
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }

    @inline(__always)
    private static func append(
        _ text: String,
        to space: inout HTTP1HeadSpace,
        orThrow error: HTTP1RequestError,
        if isSound: (UnsafeRawBufferPointer) -> Bool
    ) throws(HTTP1RequestError) {
        // Through a buffer: iterating over a UTF-8 view takes five times as long per byte.
        var text = text
        let isSound = text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard !bytes.isEmpty, isSound(bytes) else { return false }
            space.write(bytes)
            return true
        }
        if !isSound { throw error }
    }
}
