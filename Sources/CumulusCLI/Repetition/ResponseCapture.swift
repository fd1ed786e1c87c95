// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

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
