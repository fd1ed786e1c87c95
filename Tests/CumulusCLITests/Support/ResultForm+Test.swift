// SPDX-License-Identifier: Apache-2.0

import CumulusCore

@testable import CumulusCLI

extension ResultForm {
    /// The whole output for values.
    func text(of values: [JSON]) throws -> [UInt8] {
        var output: [UInt8] = []
        try write(values) { output += $0 }
        return output
    }
}
