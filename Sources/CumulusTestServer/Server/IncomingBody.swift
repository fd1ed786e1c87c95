// SPDX-License-Identifier: Apache-2.0

/// A request's body, piece by piece as the server reads it; unrequested bytes stay in the socket.
///
///     for try await piece in body { count += piece.count }
public struct IncomingBody: Sendable, AsyncSequence {
    /// A piece of the body.
    public typealias Element = [UInt8]

    let pieces: @Sendable () async throws -> [UInt8]?

    /// Returns the next piece, or `nil` at the body's end.
    ///
    /// - Throws: An error if the peer disconnects before that.
    public func next() async throws -> [UInt8]? { try await pieces() }

    /// Creates a reader of the pieces; all readers share the same body.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        let body: IncomingBody

        /// Returns the next piece, or `nil` at the body's end; throws if the peer disconnects before that.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }
}
