// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The position up to which a body's parts have been read, by one reader at a time.
final class MultipartProgress: Sendable {
    fileprivate enum State {
        case idle(MultipartParser)
        case reading
        case failed(any Error)
    }

    let limits: MultipartLimits
    fileprivate let state: Mutex<State>

    init(of mediaType: MediaType?, limits: MultipartLimits) throws {
        self.limits = limits
        state = Mutex(.idle(MultipartParser(boundary: try MultipartBoundary.of(mediaType), limits: limits)))
    }
}

/// Drives the parser with bytes from a source.
final class MultipartSource: Sendable {
    private let progress: MultipartProgress
    private let pull: @Sendable () async throws -> ByteChunk?

    init(_ progress: MultipartProgress, nextBytes: @escaping @Sendable () async throws -> ByteChunk?) {
        self.progress = progress
        pull = nextBytes
    }

    var limits: MultipartLimits { progress.limits }

    /// The next part, after skipping the remaining bytes of the previous one.
    func nextPart() async throws -> MultipartStream.Part? {
        try await read { parser in
            while let event = try await self.nextEvent(&parser) {
                if case .begin(let headers) = event {
                    return MultipartStream.Part(headers: headers, index: parser.part, source: self)
                }
            }
            return nil
        }
    }

    /// The next bytes of a part; `nil` after its last.
    func nextBytes(of index: Int) async throws -> ByteChunk? {
        try await read { parser in
            guard parser.part == index else {
                throw MultipartProblem(
                    .invalidUse,
                    part: index,
                    "it can no longer be read, because the next part has begun"
                )
            }
            guard !parser.isBetweenParts, case .bytes(let bytes)? = try await self.nextEvent(&parser) else {
                return nil
            }
            return ByteChunk(bytes)
        }
    }

    private func nextEvent(_ parser: inout MultipartParser) async throws -> MultipartParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            if parser.isOver {
                try await drain()
                return nil
            }
            if let chunk = try await pull() { parser.take(chunk) } else { parser.finish() }
        }
    }

    /// Reads a short epilogue, so that the connection can be reused.
    private func drain() async throws {
        var count = 0
        while count < 65_536, let chunk = try await pull() { count += chunk.count }
    }

    /// Passes the parser to one reader at a time; an error is permanent.
    private func read<Result>(_ body: (inout MultipartParser) async throws -> Result) async throws -> Result {
        var parser = try begin()
        do {
            let result = try await body(&parser)
            progress.state.withLock { [parser] in $0 = .idle(parser) }
            return result
        } catch {
            progress.state.withLock { $0 = .failed(error) }
            throw error
        }
    }

    private func begin() throws -> MultipartParser {
        try progress.state.withLock { state in
            switch state {
            case .idle(let parser):
                state = .reading
                return parser
            case .reading: throw MultipartProblem(.invalidUse, "the parts are being read by another reader")
            case .failed(let error): throw error
            }
        }
    }
}
