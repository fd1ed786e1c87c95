// SPDX-License-Identifier: Apache-2.0

/// The instructions for a person who signs in on a different device (RFC 8628 section 3.2).
///
/// The strings come from the server. They are short and contain no control characters, and the addresses are https.
public struct DevicePrompt: Sendable, Hashable {
    /// The code to enter: `WDJB-MJHT`.
    public let code: String
    /// The address at which to enter the code.
    public let url: String
    /// The address that includes the code, for a link or a QR code; `nil` if the server sent none.
    public let completeURL: String?
    /// The time for which the code is valid.
    public let lifetime: Duration
}
