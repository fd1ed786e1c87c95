// SPDX-License-Identifier: Apache-2.0

extension RequestHandle where Output == DownloadedFile {
    /// Whether the download is paused.
    public var isPaused: Bool { isSuspended }

    /// Stops the download, keeping what has come; nothing is told, and whoever waits for the ``value`` goes on waiting.
    ///
    /// The connection is given up, so a pause may last as long as you like. Needs ``DownloadOptions/resume``, without
    /// which ``resume()`` begins again. ``cancel(_:)`` ends a paused download; after the end this does nothing. Other
    /// requests, uploads among them, are held with their connection open by a ``TransferRate`` of 0.
    public func pause() { suspend() }

    /// Goes on with a paused download where it was, if the file is still the same on the server; else from its beginning.
    ///
    /// Does nothing unless it is paused.
    public func resume() { proceed() }
}
