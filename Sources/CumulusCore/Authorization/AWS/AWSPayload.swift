// SPDX-License-Identifier: Apache-2.0

/// How an AWS signature covers what a request carries.
public enum AWSPayload: Sendable, Hashable {
    /// By its digest; for S3, files and streams in signed chunks, which are read only once.
    case automatic
    /// By its digest, for which files and streams are read once before they are sent.
    case digest
    /// In signed chunks as it is sent; S3 only. Its length must be known.
    case chunks(checksum: AWSTrailingChecksum? = nil)
    /// Not at all (`UNSIGNED-PAYLOAD`): what TLS protects; S3 and few others take it.
    case unsigned
}
