// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Checksum {
    /// The bytes of a text in Base64, whose padding may be left out; `nil` if it is none.
    static func base64(_ text: Substring) -> [UInt8]? {
        let unpadded = text.before("=")
        let padding = String(repeating: "=", count: (4 - unpadded.utf8.count % 4) % 4)
        return Data(base64Encoded: unpadded + padding).map { [UInt8]($0) }
    }
}
