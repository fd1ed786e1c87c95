// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reads a request's body to its end, as if it were sent.
enum FixtureUpload {
    private static let pieceSize: Int64 = 65_536

    /// Reads the body and returns its length in bytes.
    static func drain(_ body: RequestBody) async throws -> Int64 {
        switch body {
        case .none: return 0
        case .bytes(let bytes): return Int64(bytes.count)
        case .file(let file): return try drain(file)
        case .stream(let stream): return try await drain(stream)
        }
    }

    private static func drain(_ body: FileBody) throws -> Int64 {
        do {
            let file = try FixtureFile(path: body.path)
            guard body.offset >= 0, body.length >= 0, body.length <= file.length - min(body.offset, file.length) else {
                throw FixtureProblem("the file is shorter than its range")
            }
            var start = body.offset
            let end = body.offset + body.length
            while start < end {
                try Task.checkCancellation()
                let next = min(start + pieceSize, end)
                _ = try file.read(start..<next)
                start = next
            }
            return body.length
        } catch let problem as FixtureProblem {
            throw TransportFailure(.requestBody, problem.description, cause: problem)
        }
    }

    private static func drain(_ body: StreamBody) async throws -> Int64 {
        let counter = Counter()
        do {
            try await body.contents(
                0,
                BodyWriter { chunk in
                    try Task.checkCancellation()
                    counter.add(chunk.count)
                }
            )
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportFailure(.requestBody, "the body's producer failed", sent: .something, cause: error)
        }
        if let length = body.length, length != counter.count {
            throw TransportFailure(.requestBody, "the body has \(counter.count) bytes, not \(length)", sent: .something)
        }
        return counter.count
    }

    private final class Counter: Sendable {
        private let stored = Mutex<Int64>(0)
        var count: Int64 { stored.withLock { $0 } }
        func add(_ count: Int) { stored.withLock { $0 += Int64(count) } }
    }
}
