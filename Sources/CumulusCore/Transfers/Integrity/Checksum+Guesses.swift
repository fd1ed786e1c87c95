// SPDX-License-Identifier: Apache-2.0

// A name that a new user may try; the compiler's message names the right one.

extension Checksum {
    /// Unavailable: digits may be malformed.
    @available(*, unavailable, message: "the digits may be malformed: `try Checksum(.sha256, digits)`")
    public static func sha256(_ digits: String) -> Checksum? { nil }
}
