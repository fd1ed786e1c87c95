// SPDX-License-Identifier: Apache-2.0

/// How an AWS signature covers the request's body.
public enum AWSPayload: Sendable, Hashable {
    /// Covers the body by its digest. For S3, files and streams are sent in signed chunks, so they are read only once.
    case automatic
    /// Covers the body by its digest; files and streams are read once before they are sent.
    case digest
    /// Covers the body in signed chunks as it is sent, only for S3; the body's length must be known.
    case chunks(checksum: AWSTrailingChecksum? = nil)
    /// Doesn't cover the body (`UNSIGNED-PAYLOAD`), which is protected only by TLS; only S3 and a few other services
    /// accept this.
    case unsigned
}
