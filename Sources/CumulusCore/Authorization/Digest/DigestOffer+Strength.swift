// SPDX-License-Identifier: Apache-2.0

extension DigestOffer {
    /// How hard the proofs of a challenge are to break.
    struct Strength: Sendable, CustomStringConvertible {
        let algorithm: DigestAlgorithm
        /// Whether proofs have a nonce of ours in them (`qop`): without one, a server's own nonce lets it look them up.
        let hasClientNonce: Bool

        /// Whether a challenge that has this strength would be weakened by one that has the other.
        func isMore(than other: Strength) -> Bool {
            algorithm.strength > other.algorithm.strength || (hasClientNonce && !other.hasClientNonce)
        }

        /// The stronger in each respect.
        func atLeast(_ other: Strength?) -> Strength {
            guard let other else { return self }
            return Strength(
                algorithm: algorithm.strength >= other.algorithm.strength ? algorithm : other.algorithm,
                hasClientNonce: hasClientNonce || other.hasClientNonce
            )
        }

        /// The algorithm, and what is missing.
        var description: String { hasClientNonce ? algorithm.name : "\(algorithm.name) without qop" }
    }
}
