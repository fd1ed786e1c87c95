// SPDX-License-Identifier: Apache-2.0

/// The way an AWS signature covers the request's body.
public enum AWSPayload: Sendable, Hashable {
    /// By its digest; for S3, files and streams are sent in signed chunks, and so are read only once.
    case automatic
    /// By its digest; files and streams are read once before they are sent.
    case digest
    /// In signed chunks as it is sent; S3 only. The body's length must be known.
    case chunks(checksum: AWSTrailingChecksum? = nil)
    /// The body is not covered (`UNSIGNED-PAYLOAD`) and protected only by TLS; S3 and few other services accept this.
    case unsigned
}
