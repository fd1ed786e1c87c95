// SPDX-License-Identifier: Apache-2.0

/// The result of one step of a decoder or encoder.
public struct ContentCodingStep: Sendable, Hashable {
    /// The position in the coded data.
    public enum State: Sendable, Hashable {
        /// In the middle: data that ends here is truncated.
        case within
        /// At a point where the data may end or continue, for example between gzip members.
        case complete
        /// At its end: any following bytes don't belong to it.
        case over
    }

    /// The number of input bytes consumed.
    public let consumed: Int
    /// The number of bytes written to the output buffer.
    public let produced: Int
    /// The position in the coded data.
    public let state: State

    /// Makes a step.
    public init(consumed: Int, produced: Int, state: State) {
        self.consumed = consumed
        self.produced = produced
        self.state = state
    }
}
