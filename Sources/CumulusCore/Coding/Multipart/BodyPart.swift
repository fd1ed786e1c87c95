// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// A part of a received multipart body: its header fields, and the information in them.
public protocol BodyPart: Sendable {
    /// The part's header fields.
    var headers: HTTPFields { get }
}

extension BodyPart {
    /// The `Content-Type`; `nil` if there is none, which means text (RFC 2046 section 5.1).
    public var mediaType: MediaType? { headers[.contentType].flatMap { MediaType(parsing: $0) } }

    /// The range of the representation that the part contains, in `multipart/byteranges` (RFC 9110 section 14.6).
    public var contentRange: ContentRange? { headers[.contentRange].flatMap { ContentRange(parsing: $0) } }

    /// The field's name, in `multipart/form-data`.
    public var name: String? { dispositionParameter("name") }

    /// The file's name.
    ///
    /// The sender chose the name, so don't use it as a path; use ``safeFileName``.
    public var fileName: String? { dispositionParameter("filename") }

    /// The file's name, made safe for writing into a directory: it can't lead elsewhere, be hidden, or name a device;
    /// `nil` if no safe name remains.
    public var safeFileName: String? { fileName.flatMap(FileName.safe) }

    /// A parameter of `Content-Disposition`, with its three escapes decoded, as WHATWG's Fetch reads form data.
    private func dispositionParameter(_ wanted: String) -> String? {
        var rest = (headers[.contentDisposition] ?? "").utf8[...]
        // The type, then each parameter after its semicolon; a quoted value ends at the next quote.
        while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
            rest = rest[semicolon...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let isQuoted = rest.first == UInt8(ascii: "\"")
            if isQuoted { rest = rest.dropFirst() }
            let end = UInt8(ascii: isQuoted ? "\"" : ";")
            let value = rest.prefix { $0 != end }
            rest = rest[value.endIndex...]
            guard String(decoding: name, as: UTF8.self).lowercased() == wanted else { continue }
            return PartName.unescaped(value)
        }
        return nil
    }
}

/// Names of form fields and files, as transmitted.
enum PartName {
    /// A name with `%22`, `%0D` and `%0A` decoded.
    static func unescaped(_ value: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? String(decoding: rest.prefix(2), as: UTF8.self).uppercased() : ""
            if let meant = ["22": UInt8(0x22), "0D": 0x0D, "0A": 0x0A][digits] {
                bytes.append(meant)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
