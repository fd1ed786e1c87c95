// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The options of an upload that can be resumed.
public struct UploadOptions: Sendable {
    /// Whether an earlier upload of the same file to the same resource is continued.
    ///
    /// The file must have the same path, identity, size and modification time. Otherwise, and if the server no longer
    /// has the earlier bytes, the upload starts over, and ``UploadedFile/restartReason`` reports why. Default: true.
    public var resume = true
    /// The number of bytes that are sent in one request, at least 1.
    ///
    /// The server acknowledges them together. Smaller pieces report progress more often, and larger pieces need fewer
    /// requests. Default: 8 MiB.
    public var chunkSize: Int64 = 8 << 20
    /// The folder for the records from which uploads are continued after the end of the process.
    ///
    /// It is created when needed, for this user only.
    ///
    /// Default: `nil`, which is `Cumulus/uploads` in the user's state directory: `Library/Application Support` on
    /// Apple's systems, otherwise `XDG_STATE_HOME` or `~/.local/state`.
    public var records: (any Locator)?

    /// Creates options; each parameter sets the property of the same name.
    public init(resume: Bool = true, chunkSize: Int64 = 8 << 20, records: (any Locator)? = nil) {
        self.resume = resume
        self.chunkSize = chunkSize
        self.records = records
    }
}
