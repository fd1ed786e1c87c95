// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The media type of a body that nobody named.
enum BodyType {
    /// A form, with the charset that its escapes are in.
    static let form = MediaType(
        "application",
        "x-www-form-urlencoded",
        parameters: [MediaType.Parameter(name: "charset", value: "utf-8")]
    )

    /// JSON where it is, or begins like it; else text where it is UTF-8; else bytes.
    static func guess(_ bytes: [UInt8], isWhole: Bool = true) -> MediaType {
        if isWhole, (try? JSON(parsing: bytes)) != nil { return .json }
        let first = bytes.first { $0 > 0x20 }
        if !isWhole, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
        return isWhole && String(validating: bytes, as: UTF8.self) != nil ? .text : .bytes
    }
}
