// SPDX-License-Identifier: Apache-2.0

/// Splits a body into lines, keeping no more than one line and one piece of the body.
struct LineReader {
    private let stream: ResponseStream
    private let limit: Int
    private var iterator: ResponseStream.Iterator
    private var chunk: [UInt8] = []
    private var place = 0
    /// The beginning of a line whose end has not arrived.
    private var partial: [UInt8] = []
    private var isAtEnd = false
    /// The number of the line that was returned last.
    private(set) var line = 0

    init(_ stream: ResponseStream, limit: Int) {
        self.stream = stream
        self.limit = limit
        iterator = stream.makeAsyncIterator()
    }

    /// The next line, without its end; `nil` after the last.
    mutating func next() async throws -> [UInt8]? {
        while true {
            if let found = try takeLine() { return found }
            guard !isAtEnd, let more = try await iterator.next() else {
                isAtEnd = true
                guard !partial.isEmpty else { return nil }
                return take()
            }
            chunk = more.bytes
            place = 0
        }
    }

    /// Adds the stage and request to an error of the work, and ends the exchange.
    func checked<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try Stage.run(.decoding, .decoding, request: stream.request, work)
        } catch {
            stream.cancel()
            throw error
        }
    }

    private mutating func takeLine() throws -> [UInt8]? {
        let end = chunk[place...].firstIndex(of: UInt8(ascii: "\n"))
        let piece = chunk[place..<(end ?? chunk.count)]
        guard partial.count + piece.count <= limit else {
            line += 1
            let problem = CodingProblem("it has more than the allowed \(limit) bytes")
            return try checked { throw LineProblem(line: line, cause: problem) }
        }
        partial += piece
        place = end.map { $0 + 1 } ?? chunk.count
        return end == nil ? nil : take()
    }

    private mutating func take() -> [UInt8] {
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        defer { partial = [] }
        line += 1
        return partial
    }
}
