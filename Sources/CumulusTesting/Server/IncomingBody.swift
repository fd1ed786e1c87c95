// SPDX-License-Identifier: Apache-2.0

/// A request's body, piece by piece as the server reads it; what is not asked for is not read from the socket.
public struct IncomingBody: Sendable {
    let pieces: @Sendable () async throws -> [UInt8]?

    /// The next piece, or `nil` at the body's end.
    ///
    /// Throws when the peer goes away before.
    public func next() async throws -> [UInt8]? { try await pieces() }
}
