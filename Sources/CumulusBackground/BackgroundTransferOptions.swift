// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The options of a background transfer.
public struct BackgroundTransferOptions: Sendable {
    /// How an existing file at a download's destination is treated.
    ///
    /// It is applied when the transfer starts and when the file is moved. `skip` and `extend` are not supported.
    /// Default: the file is kept, and the download fails.
    public var existing: DownloadOptions.ExistingFile
    /// The digest that a downloaded file must have.
    ///
    /// Default: none.
    public var checksum: Checksum?
    /// Whether a request may contain credentials, even though the system sends them to the target of every redirect.
    ///
    /// The system follows redirects of background transfers without calling the app, and sends all header fields of the
    /// request to the new target. By default, a request with credentials is therefore refused. With `true`, a transfer
    /// with credentials that ends at a different origin fails with `CumulusError.Code.redirectRefused`: that origin may
    /// have received them. Default: false.
    public var allowsCredentialsOnRedirects: Bool

    /// Creates options; each parameter sets the property of the same name.
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
