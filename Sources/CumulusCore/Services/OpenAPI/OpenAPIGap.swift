// SPDX-License-Identifier: Apache-2.0

/// Something in an OpenAPI document that the service made of it does without.
public struct OpenAPIGap: Sendable, Hashable {
    /// Where it is in the document: a JSON pointer (RFC 6901), such as `/paths/~1users/get/parameters/0`.
    public let pointer: String
    /// What is left out, and why.
    public let message: String

    init(_ pointer: String, _ message: String) {
        self.pointer = PeerText.printable(pointer, limit: PeerText.longestMessage)
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
    }
}

extension OpenAPIGap: CustomStringConvertible {
    /// Where, and what.
    public var description: String { "\(pointer.isEmpty ? "/" : pointer): \(message)" }
}
