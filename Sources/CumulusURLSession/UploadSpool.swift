// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Synchronization

/// A temporary file that a body is written to before URLSession sends it.
final class UploadSpool: Sendable {
    let url: URL
    private let file: Mutex<FileHandle>

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString).upload")
        // Nobody else may read a program's uploads.
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: NSNumber(value: 0o600)]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw TransportFailure(.requestBody, "no temporary file could be created", fate: .unsent)
        }
        do {
            file = Mutex(try FileHandle(forWritingTo: url))
        } catch {
            throw TransportFailure(.requestBody, "the temporary file can't be written", fate: .unsent, cause: error)
        }
        self.url = url
    }

    deinit { remove() }

    /// Removes the file; more calls do nothing.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a stream's bytes, as long as the request's total deadline allows.
    func fill(from stream: StreamBody, of request: TransportRequest) async throws {
        let started = request.clock.now
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.fill(from: stream) }
            if let total = request.deadlines.total {
                group.addTask {
                    try await request.clock.sleep(until: total)
                    throw TransportFailure(
                        .timeout(.total),
                        "the body was not produced in time",
                        limit: started.duration(to: total),
                        elapsed: started.duration(to: request.clock.now)
                    )
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func fill(from stream: StreamBody) async throws {
        try await RequestBody.stream(stream).read { piece in
            try self.file.withLock { try $0.write(contentsOf: piece.data) }
        }
        try file.withLock { try $0.close() }
    }

    /// Copies a range of a file, piece by piece.
    func copy(_ range: FileBody) throws {
        let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: range.path))
        defer { try? source.close() }
        try source.seek(toOffset: UInt64(range.offset))
        var rest = range.length
        while rest > 0 {
            let piece = try source.read(upToCount: Int(min(rest, 256 * 1024))) ?? Data()
            if piece.isEmpty {
                throw TransportFailure(.requestBody, "the file became shorter while it was read", fate: .unsent)
            }
            try file.withLock { try $0.write(contentsOf: piece) }
            rest -= Int64(piece.count)
        }
        try file.withLock { try $0.close() }
    }
}
