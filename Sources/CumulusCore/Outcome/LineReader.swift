// SPDX-License-Identifier: Apache-2.0

/// Splits a stream's body into lines.
///
/// It holds at most one line and one piece of the body.
struct LineReader {
    private let stream: ResponseStream
    private let limit: Int
    private let iterator: ResponseStream.Iterator
    /// The number of the line that was returned last.
    private(set) var line = 0

    init(_ stream: ResponseStream, limit: Int) {
        self.stream = stream
        self.limit = limit
        iterator = stream.makeAsyncIterator()
    }

    /// Returns the next line without its end; `nil` after the last.
    ///
    /// Bytes that were read ahead stay with the stream, so that another reader continues after this line.
    mutating func next() async throws -> [UInt8]? {
        if let problem = stream.contentCodingProblem { return try checked { throw problem } }
        var rest = stream.ahead.takeRest()
        var partial: [UInt8] = []
        while true {
            let end = rest.chunk[rest.place...].firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest.chunk[rest.place..<(end ?? rest.chunk.count)]
            line = rest.line + 1
            guard partial.count + piece.count <= limit else {
                let problem = CodingProblem("it has more than the allowed \(limit) bytes")
                return try checked { throw LineProblem(line: line, cause: problem) }
            }
            partial += piece
            if let end {
                stream.ahead.put(ReadAhead.Rest(chunk: rest.chunk, place: end + 1, line: line))
                return LineReader.withoutReturn(partial)
            }
            guard let more = try await iterator.next() else {
                if partial.isEmpty { return nil }
                stream.ahead.put(ReadAhead.Rest(line: line))
                return LineReader.withoutReturn(partial)
            }
            (rest.chunk, rest.place) = (more.bytes, 0)
        }
    }

    /// Adds the stage and request to an error of the closure, and ends the exchange.
    func checked<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try Stage.run(.decoding, .decoding, request: stream.request, work)
        } catch {
            stream.cancel()
            throw error
        }
    }

    private static func withoutReturn(_ line: [UInt8]) -> [UInt8] {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
