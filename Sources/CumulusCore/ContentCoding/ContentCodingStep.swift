// SPDX-License-Identifier: Apache-2.0

/// What a decoder or encoder made of its input.
public struct ContentCodingStep: Sendable, Hashable {
    /// Where the coded data stands.
    public enum State: Sendable, Hashable {
        /// In the middle: data that ends here is cut short.
        case within
        /// At a place where the data may end or go on, between the members of gzip for example.
        case complete
        /// At its end: what follows is none of it.
        case over
    }

    /// How many bytes of the input were taken.
    public let consumed: Int
    /// How many bytes were written to the room.
    public let produced: Int
    /// Where the coded data stands.
    public let state: State

    /// Puts a step together.
    public init(consumed: Int, produced: Int, state: State) {
        self.consumed = consumed
        self.produced = produced
        self.state = state
    }
}
