// SPDX-License-Identifier: Apache-2.0

/// How to treat a slash at the end of a child's path.
public enum TrailingSlash: Sendable, Hashable {
    /// It is removed: `posts/` is `posts`.
    case removed
    /// It is kept if it was written.
    case kept
    /// A path always ends with one, as some frameworks require.
    case added
}
