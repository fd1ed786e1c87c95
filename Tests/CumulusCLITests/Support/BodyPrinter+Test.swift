// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

extension BodyPrinter {
    /// The whole output for a body that arrives in these pieces.
    mutating func all(of pieces: [[UInt8]]) -> [UInt8] {
        var output: [UInt8] = []
        do {
            for piece in pieces { try take(ByteChunk(piece)) { output += $0 } }
            try finish { output += $0 }
        } catch {
            Issue.record(error)
        }
        return output
    }
}
