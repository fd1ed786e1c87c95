// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Percent-encoding for AWS signatures: everything except unreserved bytes, with uppercase digits.
enum AWSEscaping {
    /// Appends bytes, escaped.
    static func append(_ source: some Sequence<UInt8>, keepsSlash: Bool = false, to bytes: inout [UInt8]) {
        for byte in source {
            PercentEncoding.append(byte, to: &bytes) {
                PercentEncoding.isUnreserved($0) || keepsSlash && $0 == UInt8(ascii: "/")
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
