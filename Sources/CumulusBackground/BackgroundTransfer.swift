// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A download or an upload of a background session.
///
/// Two values with the same ``id`` are the same transfer, even in different processes.
public struct BackgroundTransfer: Sendable, Hashable, Identifiable {
    /// The direction of a transfer.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The response's body is saved to a file.
        case download
        /// A file is sent as the request's body.
        case upload
    }

    /// The transfer's identifier, which stays the same after a relaunch.
    public let id: String
    /// The transfer's direction.
    public let kind: Kind
    /// The requested URL without its query, which may be a secret.
    public let url: RequestURL
    /// The path of the file that is written or sent.
    public let file: String

    /// Creates a description of a transfer, for your own tests and previews; nothing is sent.
    public init(id: String, kind: Kind, url: RequestURL, file: String) {
        (self.id, self.kind, self.url, self.file) = (id, kind, url, file)
    }
}
