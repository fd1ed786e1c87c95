// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The bytes that readers of a stream have taken from its body and not returned yet.
///
/// All readers of a stream share it. The next reader continues where the last one stopped.
final class ReadAhead: Sendable {
    /// The remaining bytes of a piece after a line.
    struct Rest {
        var chunk: [UInt8] = []
        var place = 0
        /// The number of the line that was returned last.
        var line = 0

        /// Returns the bytes that were not returned before; `nil` if all were.
        mutating func take() -> ByteChunk? {
            guard place < chunk.count else { return nil }
            defer { (chunk, place) = ([], 0) }
            return ByteChunk(Array(chunk[place...]))
        }
    }

    private let rest = Mutex(Rest())
    private let parts = Mutex<MultipartProgress?>(nil)
    private let events = Mutex<EventParser?>(nil)

    /// Passes the remaining bytes to one reader, which puts back those after the line that it returns.
    func takeRest() -> Rest {
        rest.withLock { rest in
            defer { rest = Rest(line: rest.line) }
            return rest
        }
    }

    func put(_ unread: Rest) { rest.withLock { $0 = unread } }

    /// Returns the bytes that precede those that the body delivers next; `nil` if all were returned.
    func takeBytes() -> ByteChunk? { rest.withLock { $0.take() } }

    /// Passes the state of reading events to one reader, which puts it back; `nil` before the first.
    func takeEvents() -> EventParser? {
        events.withLock { events in
            defer { events = nil }
            return events
        }
    }

    func put(_ parser: EventParser) { events.withLock { $0 = parser } }

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
