// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rule that adds an `Idempotency-Key` to calls, by which a server recognizes a repeated request
/// (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Sendable, Hashable {
    private init() {}

    /// A new UUID for each call of POST and PATCH, the same in all of its attempts.
    public static let auto = IdempotencyKey()

    /// Whether calls with a method get a key.
    func serves(_ method: HTTPRequest.Method) -> Bool { method == .post || method == .patch }

    /// A key for a call, as a string of RFC 9651.
    func make() -> String { "\"\(UUID().uuidString.lowercased())\"" }
}

extension IdempotencyKey: CustomStringConvertible {
    /// `auto`.
    public var description: String { "auto" }
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")
}

extension HTTPFields {
    /// The key by which the server recognizes a repeated request; `nil` if it is missing or empty.
    package var idempotencyKey: String? {
        guard let key = HTTPField.Name.idempotencyKey.flatMap({ self[$0] }) else { return nil }
        // An empty string of RFC 9651 has quotes.
        return key.utf8.contains { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") } ? key : nil
    }
}

extension EncodedRequest {
    /// The key by which the server recognizes the request.
    var idempotencyKey: String? { headers.idempotencyKey }
}
