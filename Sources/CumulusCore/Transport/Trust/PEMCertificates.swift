// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The certificates of a PEM text (RFC 7468), in DER.
package struct PEMCertificates {
    /// The certificates that can be decoded, in their order; keys and text between the blocks are skipped.
    package private(set) var certificates: [[UInt8]] = []
    /// The number of the first certificate that can't be decoded, counted from 1; `nil` if all can be.
    package private(set) var unreadable: Int?

    /// The first certificate, if it can be decoded.
    package var first: [UInt8]? { unreadable == 1 ? nil : certificates.first }

    /// Reads a text.
    package init(_ text: [UInt8]) {
        var block: [UInt8]?
        var count = 0
        for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let line = line.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            if line.elementsEqual(Self.beginning) {
                // A block without an end.
                if block != nil { noteUnreadable(count) }
                count += 1
                block = []
            } else if line.elementsEqual(Self.end) {
                guard let digits = block else { continue }
                block = nil
                if let der = Data(base64Encoded: Data(digits)), !der.isEmpty {
                    certificates.append(Array(der))
                } else {
                    noteUnreadable(count)
                }
            } else {
                block?.append(contentsOf: line)
            }
        }
        if block != nil { noteUnreadable(count) }
    }

    private mutating func noteUnreadable(_ number: Int) { if unreadable == nil { unreadable = number } }

    // Without their spaces.
    private static let beginning = Array("-----BEGINCERTIFICATE-----".utf8)
    private static let end = Array("-----ENDCERTIFICATE-----".utf8)
}
