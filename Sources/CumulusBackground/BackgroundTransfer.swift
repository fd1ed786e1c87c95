// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A download or an upload of a background session.
///
/// Two values with the same ``id`` are the same transfer, also in different processes.
public struct BackgroundTransfer: Sendable, Hashable, Identifiable {
    /// The direction of a transfer.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The response's body becomes a file.
        case download
        /// A file is the request's body.
        case upload
    }

    /// The identifier, which stays the same after a relaunch.
    public let id: String
    /// The direction.
    public let kind: Kind
    /// The requested URL without its query, which may be a secret.
    public let url: RequestURL
    /// The path of the file that is written or sent.
    public let file: String

    /// Describes a transfer, for tests and previews of your own; nothing is sent.
    public init(id: String, kind: Kind, url: RequestURL, file: String) {
        (self.id, self.kind, self.url, self.file) = (id, kind, url, file)
    }
}

/// An event of a background session's transfers.
///
/// Each transfer has any number of ``progress(_:_:)`` events, and then exactly one other event.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum BackgroundEvent: Sendable {
    /// Bytes were received or sent.
    case progress(BackgroundTransfer, TransferProgress)
    /// The file is complete, verified and at its destination.
    case downloaded(BackgroundTransfer, DownloadedFile)
    /// The server has accepted the file.
    case uploaded(BackgroundTransfer, Response)
    /// The transfer failed, with `CumulusError`, or with `CancellationError` after ``BackgroundTransfers/cancel(_:)``.
    case failed(BackgroundTransfer, any Error)
    /// The session has a transfer whose record is missing or can't be read.
    ///
    /// It is cancelled, and its file is removed.
    case unknown(CumulusError)
}

/// The options of a background transfer.
public struct BackgroundTransferOptions: Sendable {
    /// The treatment of an existing file at the destination of a download.
    ///
    /// It is applied when the transfer starts and when the file is moved. `skip` and `extend` are not supported.
    /// Default: the file is kept, and the download fails.
    public var existing: DownloadOptions.ExistingFile
    /// The digest that a downloaded file must have.
    ///
    /// Default: none.
    public var checksum: Checksum?
    /// Whether a request may contain credentials, although the system sends them to the target of every redirect.
    ///
    /// The system follows redirects of background transfers without calling the app, and sends all header fields of the
    /// request to the new target. By default, a request with credentials is therefore refused. With `true`, a transfer
    /// with credentials that ends at another origin fails with `CumulusError.Code.redirectRefused`: that origin may have
    /// received them. Default: false.
    public var allowsCredentialsOnRedirects: Bool

    /// Makes options; each parameter is the property of its name.
    public init(
        existing: DownloadOptions.ExistingFile = .refuse,
        checksum: Checksum? = nil,
        allowsCredentialsOnRedirects: Bool = false
    ) {
        self.existing = existing
        self.checksum = checksum
        self.allowsCredentialsOnRedirects = allowsCredentialsOnRedirects
    }
}
