// SPDX-License-Identifier: Apache-2.0

/// The instructions for a person who signs in on another device (RFC 8628 section 3.2).
///
/// The strings come from the server: they are short, without control characters, and the addresses are https.
public struct DevicePrompt: Sendable, Hashable {
    /// The code to type: `WDJB-MJHT`.
    public let code: String
    /// The address at which to type it.
    public let url: String
    /// The address with the code in it, for a link or a QR code; `nil` if the server sent none.
    public let completeURL: String?
    /// The time for which the code is valid.
    public let lifetime: Duration
}
