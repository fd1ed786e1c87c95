// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body with one of its codings removed, decoded as it is read; it holds one piece of input and zlib's window.
final class InflatingBody: ResponseBodySource {
    private let body: ResponseBody
    private let wire: WireCount
    /// Whether `body` is the body as received.
    private let isOutermost: Bool
    private let inflation: Mutex<Inflation>
    /// Throws once the call is cancelled or its deadline has passed.
    private let check: @Sendable () throws -> Void

    init(
        _ body: ResponseBody,
        _ coding: ContentCoding,
        wire: WireCount,
        isOutermost: Bool,
        check: @escaping @Sendable () throws -> Void
    ) {
        self.check = check
        self.body = body
        self.wire = wire
        self.isOutermost = isOutermost
        inflation = Mutex(Inflation(coding))
    }

    func next() async throws -> ResponseBodyElement {
        while true {
            // A little input can produce much output without any suspension, long after the transport has ended.
            try Task.checkCancellation()
            try check()
            let received = wire.value
            if case .bytes(let chunk) = try inflation.withLock({ try $0.step(received: received) }) {
                return .bytes(chunk)
            }
            guard let chunk = try await body.next() else {
                try inflation.withLock { try $0.finish() }
                return .end(body.end ?? ExchangeEnd())
            }
            if isOutermost { wire.add(chunk.count) }
            inflation.withLock { $0.feed(chunk) }
        }
    }

    func cancel() { body.cancel() }
}

/// The result of one step of a decoder or encoder.
public struct ContentCodingStep: Sendable, Hashable {
    /// The position in the coded data.
    public enum State: Sendable, Hashable {
        /// The coded data must continue: data that ends here is truncated.
        case within
        /// The data may end or continue here, for example between gzip members.
        case complete
        /// The coded data has ended: any following bytes don't belong to it.
        case over
    }

    /// The number of input bytes consumed.
    public let consumed: Int
    /// The number of bytes written to the output buffer.
    public let produced: Int
    /// The position in the coded data.
    public let state: State

    /// Creates a step.
    public init(consumed: Int, produced: Int, state: State) {
        self.consumed = consumed
        self.produced = produced
        self.state = state
    }
}
