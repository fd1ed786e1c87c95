// SPDX-License-Identifier: Apache-2.0

/// How far the undoing of one coding has come: takes pieces, gives pieces of a bounded size, waits for nothing.
struct Inflation {
    /// The largest piece that is made at once.
    static let pieceSize = 65_536
    /// From here on, output that is out of proportion to what came over the wire is refused (T-36).
    static let harmless: Int64 = 1 << 20
    /// More than one stream of deflate can reach, which is 1032; only codings within codings do.
    static let mostRatio: Int64 = 1_100
    /// How much may follow the end of the compressed data.
    static let mostTrailing = 65_536

    enum Step: Sendable {
        case bytes(ByteChunk)
        /// What was given has been used up.
        case hungry
    }

    private enum Phase {
        case start
        case inflating(Inflater)
        /// After a gzip member: another one may follow.
        case between(Inflater)
        case over
    }

    private let coding: ContentCoding
    private var phase = Phase.start
    private var pending = ByteChunk.empty
    private var offset = 0
    /// The first byte of two that tell a zlib frame.
    private var held: UInt8?
    /// Whether zlib may have more without more input.
    private var isFull = false
    private var produced: Int64 = 0
    private var ignored = 0

    init(_ coding: ContentCoding) { self.coding = coding }

    private var remaining: Int { pending.count - offset }

    /// Takes the next piece, once the one before is used up.
    mutating func feed(_ chunk: ByteChunk) {
        pending = chunk
        offset = 0
    }

    /// Goes on until there is output, or more input is needed.
    ///
    /// - Parameter received: How many bytes of the whole body have come over the wire.
    /// - Returns: Output, never empty, or the wish for input.
    /// - Throws: ``ContentCodingProblem`` for data that is broken or out of proportion.
    mutating func step(received: Int64) throws(ContentCodingProblem) -> Step {
        while true {
            switch phase {
            case .start:
                guard let frame = frame() else { return .hungry }
                phase = .inflating(try Inflater(frame))
            case .inflating(let inflater):
                guard remaining > 0 || isFull else { return .hungry }
                let bytes = try inflate(inflater)
                produced += Int64(bytes.count)
                guard produced <= Inflation.harmless || produced / Inflation.mostRatio <= received else {
                    throw ContentCodingProblem(
                        "the body inflates to more than \(Inflation.mostRatio) times what was received"
                    )
                }
                if !bytes.isEmpty { return .bytes(ByteChunk(bytes)) }
            case .between(let inflater):
                guard remaining > 0 else { return .hungry }
                // RFC 1952 section 2.2: members follow each other; zeros or other bytes are padding.
                if pending.withUnsafeBytes({ $0[offset] }) == 0x1F {
                    try inflater.restart()
                    phase = .inflating(inflater)
                } else {
                    phase = .over
                }
            case .over:
                ignored += remaining
                feed(.empty)
                guard ignored <= Inflation.mostTrailing else {
                    throw ContentCodingProblem(
                        "more than \(Inflation.mostTrailing) bytes follow the end of the compressed body"
                    )
                }
                return .hungry
            }
        }
    }

    /// Says that nothing follows; a body of no bytes at all is an empty one.
    ///
    /// - Throws: ``ContentCodingProblem`` where the compressed data is cut short.
    mutating func finish() throws(ContentCodingProblem) {
        switch phase {
        case .start where held == nil, .between, .over: phase = .over
        case .start, .inflating: throw ContentCodingProblem("the compressed body is cut short")
        }
    }

    private mutating func inflate(_ inflater: Inflater) throws(ContentCodingProblem) -> [UInt8] {
        // Small bodies get small arrays, since a response keeps what it is given.
        let capacity = isFull ? Inflation.pieceSize : min(Inflation.pieceSize, max(1_024, min(remaining, 16_384) * 4))
        let (chunk, start) = (pending, offset)
        // `withUnsafeBytes` rethrows untyped, so the outcome travels as a value.
        let result = chunk.withUnsafeBytes { raw in
            Result { () throws(ContentCodingProblem) in
                try inflater.inflate(UnsafeRawBufferPointer(rebasing: raw[start...]), upTo: capacity)
            }
        }
        let outcome = try result.get()
        guard outcome.consumed > 0 || !outcome.bytes.isEmpty || outcome.isOver || remaining == 0 else {
            throw ContentCodingProblem("the compressed body is broken: it leads nowhere")
        }
        offset += outcome.consumed
        isFull = !outcome.isOver && outcome.bytes.count == capacity
        if outcome.isOver { phase = coding == .gzip ? .between(inflater) : .over }
        return outcome.bytes
    }

    /// What frames the data; `nil` as long as that takes more bytes.
    private mutating func frame() -> Inflater.Frame? {
        guard remaining > 0 else { return nil }
        if coding == .gzip { return .gzip }
        if let first = held {
            feed(ByteChunk([first] + pending.bytes))
            held = nil
        }
        let (first, second) = pending.withUnsafeBytes { ($0[0], $0.count > 1 ? $0[1] : nil) }
        guard let second else {
            held = first
            feed(.empty)
            return nil
        }
        // RFC 1950 section 2.2: method 8, a window of at most 32 KiB, and a multiple of 31.
        let isFramed = first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        return isFramed ? .zlib : .raw
    }
}
