// SPDX-License-Identifier: Apache-2.0

/// Why a content coding can't be undone.
struct ContentCodingProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
