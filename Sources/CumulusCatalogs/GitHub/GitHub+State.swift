// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// Which issues or pull requests are meant.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Those that are open.
        case open
        /// Those that are closed.
        case closed
        /// All.
        case all
    }
}
