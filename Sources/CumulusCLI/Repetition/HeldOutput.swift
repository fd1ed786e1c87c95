// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The output of a try, which is printed only if it is the last one.
final class HeldOutput: Sendable {
    private enum Piece {
        case output([UInt8])
        case note(String)
    }

    private let pieces = Mutex<[Piece]>([])

    /// A console that writes to this instead of standard output and standard error.
    func console(instead console: Console) -> Console {
        var held = console
        held.write = { [self] bytes in pieces.withLock { $0.append(.output(bytes)) } }
        held.note = { [self] line in pieces.withLock { $0.append(.note(line)) } }
        return held
    }

    /// Prints everything in its order.
    func print(to console: Console) throws {
        for piece in pieces.withLock({ $0 }) {
            switch piece {
            case .output(let bytes): try console.write(bytes)
            case .note(let line): console.note(line)
            }
        }
    }
}

/// The status and body of a response, for a condition.
final class ResponseCapture: Sendable {
    private struct State {
        var status: Int?
        var bytes: [UInt8] = []
        var isTooLong = false
    }

    private let state = Mutex(State())

    /// The status; `nil` without a response.
    var status: Int? { state.withLock(\.status) }
    /// The body, without its content coding.
    var bytes: [UInt8] { state.withLock(\.bytes) }
    /// Whether the body is longer than what is kept in memory.
    var isTooLong: Bool { state.withLock(\.isTooLong) }

    func note(status: Int) { state.withLock { $0.status = status } }

    func take(_ chunk: ByteChunk) {
        state.withLock { state in
            guard state.bytes.count + chunk.count <= FilteredBody.limit else { return state.isTooLong = true }
            chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) }
        }
    }
}
