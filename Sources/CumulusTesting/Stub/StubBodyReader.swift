// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a request's whole body, as a transport would send it.
enum StubBodyReader {
    static func bytes(of body: RequestBody) async throws -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let chunk): return chunk.bytes
        case .file(let file): return try bytes(of: file)
        case .stream(let stream): return try await bytes(of: stream)
        }
    }

    private static func bytes(of file: FileBody) throws -> [UInt8] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file.path))
        } catch {
            throw TransportFailure(.requestBody, "the file can't be read", cause: error)
        }
        guard file.offset >= 0, file.length >= 0, Int64(data.count) - file.offset >= file.length else {
            throw TransportFailure(.requestBody, "the file is shorter than its range")
        }
        return Array(data.dropFirst(Int(file.offset)).prefix(Int(file.length)))
    }

    private static func bytes(of stream: StreamBody) async throws -> [UInt8] {
        let collected = Collected()
        do {
            try await stream.contents(0, BodyWriter { collected.append($0.bytes) })
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportFailure(.requestBody, "the body's producer failed", cause: error)
        }
        let bytes = collected.bytes
        if let length = stream.length, length != Int64(bytes.count) {
            throw TransportFailure(.requestBody, "the body has \(bytes.count) bytes, not \(length)")
        }
        return bytes
    }

    private final class Collected: Sendable {
        private let stored = Mutex<[UInt8]>([])
        var bytes: [UInt8] { stored.withLock { $0 } }
        func append(_ bytes: [UInt8]) { stored.withLock { $0 += bytes } }
    }
}
