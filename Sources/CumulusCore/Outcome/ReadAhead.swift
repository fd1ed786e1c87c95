// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What readers of a stream have taken from its body and not returned yet.
///
/// All readers of a stream share it: whichever comes next goes on where the last one stopped.
final class ReadAhead: Sendable {
    /// The rest of a piece behind a line.
    struct Rest {
        var chunk: [UInt8] = []
        var place = 0
        /// The number of the line that was returned last.
        var line = 0

        /// The bytes that were not returned; `nil` if there are none.
        mutating func take() -> ByteChunk? {
            guard place < chunk.count else { return nil }
            defer { (chunk, place) = ([], 0) }
            return ByteChunk(Array(chunk[place...]))
        }
    }

    private let rest = Mutex(Rest())
    private let parts = Mutex<MultipartProgress?>(nil)

    /// Hands the rest to one reader, which puts it back when it has found what it was asked for.
    func takeRest() -> Rest {
        rest.withLock { rest in
            defer { rest = Rest(line: rest.line) }
            return rest
        }
    }

    func put(_ unread: Rest) { rest.withLock { $0 = unread } }

    /// The bytes before those that the body has not delivered; `nil` if there are none.
    func takeBytes() -> ByteChunk? { rest.withLock { $0.take() } }

    /// The state of reading parts, made by the first reader of parts.
    func progress(_ make: () throws -> MultipartProgress) throws -> MultipartProgress {
        try parts.withLock { parts in
            if let parts { return parts }
            let made = try make()
            parts = made
            return made
        }
    }
}
