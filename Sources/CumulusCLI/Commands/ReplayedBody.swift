// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A body whose beginning was already read, delivered again from its start.
final class ReplayedBody: ResponseBodySource {
    private let beginning: Mutex<ByteChunk?>
    private let rest: ResponseBody

    init(_ beginning: ByteChunk, before rest: ResponseBody) {
        self.beginning = Mutex(beginning.isEmpty ? nil : beginning)
        self.rest = rest
    }

    func next() async throws -> ResponseBodyElement {
        let held = beginning.withLock { beginning in
            defer { beginning = nil }
            return beginning
        }
        if let held { return .bytes(held) }
        if let chunk = try await rest.next() { return .bytes(chunk) }
        return .end(rest.end ?? ExchangeEnd())
    }

    func cancel() { rest.cancel() }
}
