// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The reason why text was refused as YAML.
public struct YAMLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with its line if that is known.
    public let description: String

    init(_ description: String) {
        self.description = PeerText.printable(description, limit: PeerText.longestMessage)
    }
}
