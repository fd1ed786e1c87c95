// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization

/// A file on a server that does ranges as RFC 9110 has it, unless a test has it misbehave.
final class RemoteFile: Sendable {
    /// How a request's answer departs from what is right.
    typealias Twist = @Sendable (StubRequest, StubResponse) -> StubResponse

    struct State {
        var bytes: [UInt8]
        var tag: String? = "\"v1\""
        var modified: String?
        var extra: Headers = [:]
        var doesRanges = true
        /// After how many bytes the body of each next answer breaks off; -1 for whole.
        var breaks: [Int] = []
        /// Twists of each next answer; `nil` for none.
        var twists: [Twist?] = []
        /// Parts come whatever `If-Range` says.
        var ignoresConditions = false
        /// Another state takes the file's place, of the same length: after the first answer, or after one that breaks off.
        var changesAfterFirst = false
        var changesAfterBreak = false
        var seen: [HTTPFields] = []
    }

    private let state: Mutex<State>

    init(count: Int = 100_000, seed: UInt8 = 0) {
        state = Mutex(State(bytes: RemoteFile.content(count, seed: seed)))
    }

    static func content(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
        var value = UInt32(seed) &+ 7
        return (0..<count).map { _ in
            value = value &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: value >> 24)
        }
    }

    var bytes: [UInt8] { state.withLock(\.bytes) }
    /// The fields of the requests so far.
    var seen: [HTTPFields] { state.withLock(\.seen) }

    func change(_ edit: (inout State) -> Void) { state.withLock { edit(&$0) } }

    var transport: StubTransport { StubTransport { [self] request in answer(request) } }

    func answer(_ request: StubRequest) -> StubResponse {
        let (state, breaksAt, twist) = state.withLock { state in
            state.seen.append(request.headers)
            let now = state
            let breaksAt = state.breaks.isEmpty ? -1 : state.breaks.removeFirst()
            let twist = state.twists.isEmpty ? nil : state.twists.removeFirst()
            if state.changesAfterFirst || state.changesAfterBreak && breaksAt >= 0 {
                state.bytes = RemoteFile.content(state.bytes.count, seed: 9)
            }
            return (now, breaksAt, twist)
        }
        let answer = RemoteFile.answer(request.headers, state, breaksAt)
        return twist?(request, answer) ?? answer
    }

    private static func answer(_ request: HTTPFields, _ state: State, _ breaksAt: Int) -> StubResponse {
        var headers = state.extra
        headers[.eTag] = state.tag
        headers[.lastModified] = state.modified
        headers[.date] = "Sun, 06 Nov 1994 08:49:37 GMT"
        headers[.contentType] = "application/octet-stream"
        var range = 0..<state.bytes.count
        var status = HTTPResponse.Status.ok
        if state.doesRanges {
            headers[.acceptRanges] = "bytes"
            let holds =
                state.ignoresConditions || request[.ifRange].map { $0 == state.tag || $0 == state.modified } ?? true
            if holds, let wanted = request[.range] {
                guard let part = self.range(wanted, state.bytes.count) else {
                    headers[.contentRange] = "bytes */\(state.bytes.count)"
                    return .response(.rangeNotSatisfiable, headers: headers)
                }
                range = part
                status = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(state.bytes.count)"
            }
        }
        headers[.contentLength] = "\(range.count)"
        return .script(steps(Array(state.bytes[range]), breaksAt), status: status, headers: headers)
    }

    /// A body in pieces, whole or broken off.
    static func steps(_ bytes: [UInt8], _ breaksAt: Int = -1) -> [StubResponse.Step] {
        let shown = breaksAt < 0 ? bytes[...] : bytes.prefix(breaksAt)
        var steps = stride(from: 0, to: shown.count, by: 10_000).map { start in
            StubResponse.Step.chunk(Array(shown[start..<min(start + 10_000, shown.count)]))
        }
        if breaksAt >= 0 {
            steps.append(.fail(TransportFailure(.truncated, "the test broke it off", fate: .unknown)))
        }
        return steps
    }

    private static func range(_ text: String, _ count: Int) -> Range<Int>? {
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard let start = Int(parts[0]), start < count else { return nil }
        return start..<min((Int(parts[1]) ?? count - 1) + 1, count)
    }
}
