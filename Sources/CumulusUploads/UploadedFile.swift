// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A complete upload: the server has acknowledged all bytes.
public struct UploadedFile: Sendable {
    /// The upload's URL at the server.
    ///
    /// It may be all that is needed to read or remove the upload: treat it like a secret, and show its
    /// `redacted` form.
    public let url: RequestURL
    /// The last response.
    public let response: Response
    /// The number of bytes of the upload.
    public let byteCount: Int64
    /// The number of bytes that the server had from an earlier run.
    public let resumedByteCount: Int64
    /// The number of bytes that this run sent, including those that were sent again.
    public let sentByteCount: Int64
    /// The reason why an earlier upload was not continued, or this one started over: the file has changed, or the
    /// server no longer has the upload; `nil` if neither happened.
    public let restartReason: String?
    /// The time at which the server removes the upload, according to its last response; `nil` if the response contained
    /// none.
    public let expires: Date?
}
