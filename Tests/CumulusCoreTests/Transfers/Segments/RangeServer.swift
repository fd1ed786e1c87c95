// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport

/// A stub's file that supports ranges, or pretends to.
final class RangeServer: Sendable {
    /// The current file, and the server's behavior.
    struct State: Sendable {
        var bytes: [UInt8]
        var tag = "\"one\""
        var chunk = 1000
        /// The answer instead of the usual one; `nil` for the usual.
        var special: (@Sendable (StubRequest, State) -> StubResponse?)?
        /// How each body is sent, given the request's number, its bytes and their offset.
        var steps: (@Sendable (StubRequest, [[UInt8]]) -> [StubResponse.Step])?
    }

    let state: Mutex<State>
    private let seen = Mutex<[StubRequest]>([])

    init(_ bytes: [UInt8]) { state = Mutex(State(bytes: bytes)) }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var numbers = SeededNumbers(seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    }

    /// The requests, in order.
    var requests: [StubRequest] { seen.withLock(\.self) }
    var ranges: [String?] { requests.map { $0.headers[.range] } }

    func change(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

    func answer(_ request: StubRequest) -> StubResponse {
        seen.withLock { $0.append(request) }
        let now = state.withLock(\.self)
        if let special = now.special?(request, now) { return special }
        return RangeServer.usual(request, now)
    }

    /// The answer of a server that follows RFC 9110.
    static func usual(_ request: StubRequest, _ now: State) -> StubResponse {
        let total = now.bytes.count
        var headers: Headers = [.acceptRanges: "bytes", .eTag: now.tag, .contentType: "application/octet-stream"]
        var (status, wanted) = (HTTPResponse.Status.ok, 0..<total)
        let isSame = request.headers[.ifRange].map { $0 == now.tag } ?? true
        if let range = request.headers[.range].flatMap({ parse($0, total) }), isSame {
            guard !range.isEmpty else {
                headers[.contentRange] = "bytes */\(total)"
                return .response(.rangeNotSatisfiable, headers: headers)
            }
            (status, wanted) = (.partialContent, range)
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        }
        headers[.contentLength] = "\(wanted.count)"
        let pieces = stride(from: wanted.lowerBound, to: wanted.upperBound, by: now.chunk).map {
            Array(now.bytes[$0..<min($0 + now.chunk, wanted.upperBound)])
        }
        let steps = now.steps?(request, pieces) ?? pieces.map { .chunk($0) }
        return .script(steps, status: status, headers: headers)
    }

    private static func parse(_ field: String, _ total: Int) -> Range<Int>? {
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard field.hasPrefix("bytes="), ends.count == 2, let first = Int(ends[0]) else { return nil }
        let end = min(total, (Int(ends[1]) ?? total - 1) + 1)
        return first < end ? first..<end : 0..<0
    }

    /// A resource for this file.
    func resource(chunkSize: Int64 = 4000) -> Resource {
        let site = Resource("http://files.example", transport: StubTransport { self.answer($0) }.watched) {
            $0.chunks.size = chunkSize
        }
        return site["data.bin"]
    }
}

extension ManualClock {
    /// Advances the clock until a task has ended.
    func drive<Value>(until task: Task<Value, any Error>) async throws {
        let hasEnded = Mutex(false)
        Task {
            _ = await task.result
            hasEnded.withLock { $0 = true }
        }
        try await eventually {
            advanceToNextSleeper()
            return hasEnded.withLock(\.self)
        }
    }
}
