// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Checksum {
    /// Decodes Base64, with or without padding; `nil` if it is invalid.
    static func base64(_ text: Substring) -> [UInt8]? {
        let unpadded = text.before("=")
        let padding = String(repeating: "=", count: (4 - unpadded.utf8.count % 4) % 4)
        return Data(base64Encoded: unpadded + padding).map { [UInt8]($0) }
    }
}
