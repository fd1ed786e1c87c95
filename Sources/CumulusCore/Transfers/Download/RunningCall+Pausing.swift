// SPDX-License-Identifier: Apache-2.0

extension RunningCall where Output == DownloadedFile {
    /// Whether the download is paused.
    public var isPaused: Bool { isSuspended }

    /// Stops the download and keeps the received bytes; nothing is reported, and callers that wait for the ``value``
    /// continue to wait.
    ///
    /// The connection is closed, so a pause may last as long as you like. It needs ``DownloadOptions/resume``, without
    /// which ``resume()`` starts over. ``cancel(_:)`` ends a paused download; after the end this does nothing. Other
    /// requests, including uploads, are paused with their connection open by a ``Bandwidth`` of 0.
    public func pause() { suspend() }

    /// Resumes a paused download where it stopped, if the file on the server is unchanged; else from its beginning.
    ///
    /// Does nothing unless it is paused.
    public func resume() { proceed() }
}
