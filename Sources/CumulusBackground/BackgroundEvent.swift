// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// An event of a background session's transfers.
///
/// Each transfer has any number of ``progress(_:_:)`` events, followed by one event with its result. The result is lost
/// if the process ends before a loop has received it, because the transfer's record is removed first.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum BackgroundEvent: Sendable {
    /// Bytes were received or sent.
    ///
    /// Only the direction, `completed`, `total`, `redactedURL` and `file` are set. The other properties have their
    /// defaults: there are no times or rates, and `isFinished` is false.
    case progress(BackgroundTransfer, TransferProgress)
    /// The file is complete, verified and at its destination.
    case downloaded(BackgroundTransfer, DownloadedFile)
    /// The server has accepted the file.
    case uploaded(BackgroundTransfer, Response)
    /// The transfer failed, with `CumulusError`, or with `CancellationError` after ``BackgroundTransfers/cancel(_:)``.
    case failed(BackgroundTransfer, any Error)
    /// The session has a transfer whose record is missing or can't be used.
    ///
    /// The transfer is cancelled, and its received bytes are removed. A record that can't be read at the moment, for
    /// example because the device is locked, causes no event.
    case unknown(CumulusError)
}
