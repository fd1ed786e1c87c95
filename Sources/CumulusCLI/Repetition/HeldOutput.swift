// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The output of a try, which is printed only after the last try.
final class HeldOutput: Sendable {
    private enum Piece {
        case output([UInt8])
        case note(String)
    }

    private struct State {
        var pieces: [Piece] = []
        var size = 0
        var isTooLong = false
    }

    private let state = Mutex(State())

    /// Whether a try printed more than fits into memory.
    var isTooLong: Bool { state.withLock(\.isTooLong) }

    /// A console that collects its output here, instead of writing to standard output and standard error.
    ///
    /// Output above the limit of bodies in memory is an error, so that an endless response ends.
    func console(instead console: Console) -> Console {
        var held = console
        held.write = { [self] bytes in
            let fits = state.withLock { state in
                state.isTooLong = state.isTooLong || state.size + bytes.count > FilteredBody.limit
                if state.isTooLong { return false }
                state.size += bytes.count
                state.pieces.append(.output(bytes))
                return true
            }
            if !fits { throw ResponseCapture.tooLong }
        }
        held.note = { [self] line in state.withLock { $0.pieces.append(.note(line)) } }
        return held
    }

    /// Prints everything in the original order.
    func print(to console: Console) throws {
        for piece in state.withLock(\.pieces) {
            switch piece {
            case .output(let bytes): try console.write(bytes)
            case .note(let line): console.note(line)
            }
        }
    }
}

/// The status and body of a response, which a condition examines.
final class ResponseCapture: Sendable {
    /// The error of a response that is too long to be examined.
    static let tooLong = JSONFilter.Unreadable(option: "--until", reason: "the response is longer than 64 MiB")

    private struct State {
        var status: Int?
        var bytes: [UInt8] = []
        var isTooLong = false
    }

    private let state = Mutex(State())
    private let needsBody: Bool

    /// - Parameter needsBody: Whether the body is examined.
    init(needsBody: Bool) { self.needsBody = needsBody }

    /// The status; `nil` if no response has arrived.
    var status: Int? { state.withLock(\.status) }
    /// The body, without its content coding.
    var bytes: [UInt8] { state.withLock(\.bytes) }
    /// Whether the body exceeds the limit for bodies in memory.
    var isTooLong: Bool { state.withLock(\.isTooLong) }

    func note(status: Int) { state.withLock { $0.status = status } }

    /// - Throws: `JSONFilter.Unreadable` if the body exceeds the limit.
    func take(_ chunk: ByteChunk) throws {
        guard needsBody else { return }
        let fits = state.withLock { state in
            state.isTooLong = state.isTooLong || state.bytes.count + chunk.count > FilteredBody.limit
            if !state.isTooLong { chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) } }
            return !state.isTooLong
        }
        if !fits { throw ResponseCapture.tooLong }
    }
}
