// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The caller's own `Host` field: the name of a virtual host on a server that the URL reaches by another name.
package enum HostField {
    /// Why the field is refused.
    package enum Problem: Error {
        /// There are several fields, which is ambiguous (RFC 9112 section 3.2).
        case several
        /// The value is not a host, or has an invalid port.
        case malformed
    }

    /// The value of the only `Host` among the fields; `nil` if there is none.
    package static func value(in fields: HTTPFields) throws(Problem) -> String? {
        var found: String?
        for field in fields where field.name.canonicalName == "host" {
            if found != nil { throw .several }
            guard isHost(field.value) else { throw .malformed }
            found = field.value
        }
        return found
    }

    /// Whether a text is one host, alone or with a port (RFC 9110 section 7.2), without ambiguity.
    package static func isHost(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let isAddress = bytes.first == UInt8(ascii: "[")
            let end =
                isAddress
                ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
                : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard let end else { return false }
            let host = isAddress ? bytes[1..<end - 1] : bytes[..<end]
            guard !host.isEmpty, host.allSatisfy(isAddress ? isAddressByte : isNameByte) else { return false }
            return end == bytes.endIndex || bytes[end] == UInt8(ascii: ":") && isPort(bytes[(end + 1)...])
        }
    }

    private static func isPort(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard 1...5 ~= bytes.count, bytes.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
        return bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) } <= 65_535
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Whether a byte is a letter, a digit, or another byte that occurs in host names.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}
