// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The algorithm for a body's `Content-Digest` (RFC 9530).
public enum ContentDigest: String, Sendable, Hashable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"

    /// The field's value for a body, which is read once before it is sent.
    func value(of body: RequestBody) async throws -> String {
        let digest = try await body.checksum(self == .sha256 ? .sha256 : .sha512)
        return "\(rawValue)=:\(Data(digest.bytes).base64EncodedString()):"
    }
}
