// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Percent-encoding for AWS signatures: everything except unreserved bytes, with uppercase digits.
enum AWSEscaping {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Appends bytes, escaped.
    static func append(_ source: some Sequence<UInt8>, keepsSlash: Bool = false, to bytes: inout [UInt8]) {
        for byte in source {
            if PercentEncoding.isUnreserved(byte) || keepsSlash && byte == UInt8(ascii: "/") {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    /// Normalizes part of a query, however it was escaped; a plus means a space, as services read it.
    static func escapedOnce(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        let plain = text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        append(PercentEncoding.decodedBytes(String(decoding: plain, as: UTF8.self)), to: &bytes)
        return bytes
    }
}
