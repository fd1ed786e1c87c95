// SPDX-License-Identifier: Apache-2.0

extension DigestOffer {
    /// How hard the proofs of a challenge are to break.
    struct Strength: Sendable, CustomStringConvertible {
        let algorithm: DigestAlgorithm
        /// Whether proofs include a nonce of ours (`qop`): without one, a server can choose its nonce to use
        /// precomputed tables.
        let hasClientNonce: Bool

        /// Whether replacing a challenge of this strength with one of the other strength would weaken it.
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
