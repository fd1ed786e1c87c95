// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A selection of issues or pull requests by their state.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Open ones.
        case open
        /// Closed ones.
        case closed
        /// All of them.
        case all
    }
}
