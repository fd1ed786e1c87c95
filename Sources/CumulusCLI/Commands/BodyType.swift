// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The media type of a body without a given type.
enum BodyType {
    /// A form, with the charset of its escapes.
    static let form = MediaType(
        "application",
        "x-www-form-urlencoded",
        parameters: [MediaType.Parameter(name: "charset", value: "utf-8")]
    )

    /// JSON if it is, or begins like it; otherwise text if it is UTF-8; otherwise bytes.
    static func guess(_ bytes: [UInt8], isWhole: Bool = true) -> MediaType {
        if isWhole, (try? JSON(parsing: bytes)) != nil { return .json }
        let first = bytes.first { $0 > 0x20 }
        if !isWhole, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
        return isWhole && String(validating: bytes, as: UTF8.self) != nil ? .text : .bytes
    }
}
