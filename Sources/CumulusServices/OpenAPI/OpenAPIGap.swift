// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A part of an OpenAPI document that the service omits.
public struct OpenAPIGap: Sendable, Hashable {
    /// The location in the document: a JSON Pointer (RFC 6901), such as `/paths/~1users/get/parameters/0`.
    public let pointer: String
    /// The omitted part, and the reason.
    public let message: String

    init(_ pointer: String, _ message: String) {
        self.pointer = PeerText.printable(pointer, limit: PeerText.longestMessage)
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
    }
}

extension OpenAPIGap: CustomStringConvertible {
    /// The location and the message.
    public var description: String { "\(pointer.isEmpty ? "/" : pointer): \(message)" }
}
