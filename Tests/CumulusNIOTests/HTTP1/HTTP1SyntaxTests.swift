// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusNIO

/// The byte classes for parsing heads.
struct HTTP1SyntaxTests {
    @Test("a byte that is invalid in field values is found in any position, as by checking each byte")
    func noFieldText() {
        for length in [0, 1, 7, 8, 9, 16, 23] {
            for place in 0..<max(length, 1) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x80, count: length)
                    if place < length { bytes[place] = byte }
                    let found = bytes.withUnsafeBytes { HTTP1Syntax.firstNoFieldText(in: $0) }
                    #expect(found == bytes.firstIndex { !HTTP1Syntax.isFieldText($0) })
                }
            }
        }
    }

    @Test("tabs hide no control character behind them", arguments: [0x0A, 0x0D, 0x00, 0x7F] as [UInt8])
    func behindTabs(byte: UInt8) {
        for place in 0..<24 {
            var bytes = [UInt8](repeating: 0x09, count: 24)
            bytes[place] = byte
            #expect(bytes.withUnsafeBytes { HTTP1Syntax.firstNoFieldText(in: $0) } == place)
        }
    }
}
