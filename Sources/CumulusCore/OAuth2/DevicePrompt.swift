// SPDX-License-Identifier: Apache-2.0

/// What to tell a person who signs in on another device (RFC 8628 section 3.2).
///
/// The texts come from the server; they are short, without control characters, and the addresses are https.
public struct DevicePrompt: Sendable, Hashable {
    /// What to type: `WDJB-MJHT`.
    public let code: String
    /// Where to type it.
    public let url: String
    /// The same with the code in it, for a link or a QR code; `nil` if the server has none.
    public let completeURL: String?
    /// How long it can be typed.
    public let lifetime: Duration
}
