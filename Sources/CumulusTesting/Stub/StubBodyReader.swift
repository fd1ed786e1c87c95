// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Reads a request's whole body, as a transport would send it.
enum StubBodyReader {
    static func bytes(of body: RequestBody) async throws -> [UInt8] {
        let collected = Collected()
        do {
            try await body.read { collected.append($0.bytes) }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportFailure(.requestBody, "the body's producer failed", cause: error)
        }
        let bytes = collected.bytes
        if let length = body.length, length != Int64(bytes.count) {
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
