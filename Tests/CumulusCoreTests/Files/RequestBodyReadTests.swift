// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import CumulusCore

/// Reading a body outside of a transport.
@Suite(.timeLimit(.minutes(10))) struct RequestBodyReadTests {
    private final class Pieces: Sendable {
        private let stored = Mutex<[[UInt8]]>([])
        var all: [[UInt8]] { stored.withLock(\.self) }
        var bytes: [UInt8] { Array(all.joined()) }
        func add(_ piece: [UInt8]) { stored.withLock { $0.append(piece) } }
    }

    /// Why a body couldn't be made.
    private func cause(_ body: RequestBody) async -> (any Error)? {
        await #expect(throws: TransportFailure.self) { try await read(body) }?.cause
    }

    private func read(_ body: RequestBody) async throws -> Pieces {
        let pieces = Pieces()
        try await body.read { pieces.add($0.bytes) }
        return pieces
    }

    @Test func bytesComeInPieces() async throws {
        #expect(try await read(.none).all.isEmpty)
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        let pieces = try await read(.bytes(ByteChunk(bytes)))
        #expect(pieces.bytes == bytes)
        #expect(pieces.all.map(\.count).max() == 256 * 1_024)
    }

    @Test func aFilesRangeIsReadAndAnotherLengthIsNoticed() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "read-\(UUID())")
        try Data("0123456789".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try await read(.file(FileBody(path: url, offset: 2, length: 5))).bytes == Array("23456".utf8))
        #expect(await cause(.file(FileBody(path: url, offset: 8, length: 5))) is UploadProblem)
        #expect(await cause(.file(FileBody(path: url, length: 10, wholeLength: 11))) is UploadProblem)
        for (offset, length) in [(-1, 5), (0, -5), (1, Int64.max)] as [(Int64, Int64)] {
            #expect(await cause(.file(FileBody(path: url, offset: offset, length: length))) is UploadProblem)
        }
    }

    @Test func aStreamOfOneUseIsReadOnce() async throws {
        let body = RequestBody.stream(StreamBody { _, writer in try await writer.write(ByteChunk("once")) })
        #expect(try await read(body).bytes == Array("once".utf8))
        #expect(!body.canBeSent)
        #expect(await cause(body) is BodyAlreadySent)
    }

    @Test func anotherLengthThanItsOwnIsNoticed() async throws {
        for (length, reason) in [(3, "its declared 3"), (5, "4 bytes instead of its declared 5")] {
            let stream = StreamBody(length: Int64(length)) { _, writer in try await writer.write(ByteChunk("four")) }
            let error = await #expect(throws: TransportFailure.self) { try await read(.stream(stream)) }
            #expect(error?.message.contains(reason) == true)
        }
        struct Broken: Error {}
        #expect(await cause(.stream(StreamBody { _, _ in throw Broken() })) is Broken)
    }

    @Test func anErrorOfTheReaderEndsIt() async throws {
        struct Enough: Error {}
        let pieces = Pieces()
        await #expect(throws: Enough.self) {
            try await RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 600_000))).read {
                pieces.add($0.bytes)
                throw Enough()
            }
        }
        #expect(pieces.all.count == 1)
        let deaf = RequestBody.stream(StreamBody { _, writer in try? await writer.write(ByteChunk("once")) })
        await #expect(throws: Enough.self) { try await deaf.read { _ in throw Enough() } }
    }

    @Test func aCancelledReaderGetsNoMore() async throws {
        let pieces = Pieces()
        let task = Task {
            try await RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 600_000))).read {
                pieces.add($0.bytes)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(pieces.all.count == 1)
    }
}
