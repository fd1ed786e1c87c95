// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body whose beginning has been read: it delivers the bytes that were read, then the remaining bytes as they arrive.
final class PeekedBody: ResponseBodySource {
    private struct State {
        var read: ArraySlice<ByteChunk>
        /// The end of the body if it was reached while the beginning was read; `nil` if the body continues.
        var end: Result<ExchangeEnd, any Error>?
    }

    private let state: Mutex<State>
    private let remaining: ResponseBody

    private init(_ read: [ByteChunk], _ end: Result<ExchangeEnd, any Error>?, _ remaining: ResponseBody) {
        state = Mutex(State(read: read[...], end: end))
        self.remaining = remaining
    }

    /// Reads the beginning of a body.
    ///
    /// - Returns: The whole body, and its first bytes, at most `limit`.
    static func peek(_ body: ResponseBody, upTo limit: Int) async -> (body: ResponseBody, excerpt: ByteChunk) {
        // Copied: a body of one-byte pieces would otherwise keep a buffer for each.
        var bytes: [UInt8] = []
        var excess: [UInt8] = []
        var end: Result<ExchangeEnd, any Error>?
        do {
            while bytes.count < limit {
                guard let chunk = try await body.next() else {
                    end = .success(body.end ?? ExchangeEnd())
                    break
                }
                chunk.withUnsafeBytes { raw in
                    let room = limit - bytes.count
                    bytes.append(contentsOf: raw.prefix(room))
                    excess.append(contentsOf: raw.dropFirst(room))
                }
            }
        } catch {
            end = .failure(error)
        }
        let excerpt = ByteChunk(bytes)
        let read = [excerpt, ByteChunk(excess)].filter { !$0.isEmpty }
        return (body.wrapped(by: PeekedBody(read, end, body)), excerpt)
    }

    /// Reads a small body to its end, so that its connection can be reused.
    ///
    /// If the body is long or slow, or must wait for a slot of a limit, the connection is closed.
    ///
    /// The time limit is measured with the system's clock, since it isn't part of a call's guarantees. On a test's
    /// clock that stands still, it would be one more sleep next to those that the test waits for.
    static func drain(_ body: ResponseBody, on clock: any RequestClock, before deadline: Moment?) async {
        // Most bodies of redirects and failures arrived whole with their heads.
        if body.end == nil, body.takeWhole() == nil {
            let time = deadline.map { min(drainTime, $0 - clock.moment) } ?? drainTime
            await withTaskGroup { group in
                group.addTask {
                    var count = 0
                    await LimitedBody.$isDraining.withValue(true) {
                        while count <= Delivery.errorLimit, let chunk = try? await body.next() { count += chunk.count }
                    }
                }
                group.addTask { try? await Task.sleep(for: time) }
                await group.next()
                group.cancelAll()
            }
        }
        body.cancel()
    }

    /// The maximum time for reading the remaining bytes of a body to save its connection.
    private static let drainTime = Duration.seconds(1)

    func next() async throws -> ResponseBodyElement {
        let (chunk, end) = state.withLock { ($0.read.popFirst(), $0.end) }
        if let chunk { return .bytes(chunk) }
        if let end { return .end(try end.get()) }
        guard let chunk = try await remaining.next() else { return .end(remaining.end ?? ExchangeEnd()) }
        return .bytes(chunk)
    }

    func cancel() { remaining.cancel() }
}
