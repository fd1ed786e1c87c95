// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key in PEM (RFC 7468).
enum KeyDocument {
    /// The bytes between the first pair of lines with a label.
    static func bytes(inPEM text: String, labeled label: String) throws -> [UInt8] {
        guard let begin = text.place(of: "-----BEGIN \(label)-----"),
            let end = text[begin.upperBound...].place(of: "-----END \(label)-----")
        else { throw SignatureKeyProblem("the PEM document has no lines -----BEGIN and -----END \(label)-----") }
        let digits = text[begin.upperBound..<end.lowerBound].utf8.filter { $0 > 0x20 }
        guard let bytes = Data(base64Encoded: Data(digits)) else {
            throw SignatureKeyProblem("the content of the PEM document is not Base64")
        }
        return [UInt8](bytes)
    }
}
