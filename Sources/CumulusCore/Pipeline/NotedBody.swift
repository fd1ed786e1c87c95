// SPDX-License-Identifier: Apache-2.0

/// A body whose end is noted once its reader has it whole.
final class NotedBody: ResponseBodySource {
    private let body: ResponseBody
    private let note: @Sendable () -> Void

    init(_ body: ResponseBody, _ note: @escaping @Sendable () -> Void) {
        self.body = body
        self.note = note
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() { return .bytes(chunk) }
        note()
        return .end(body.end ?? ExchangeEnd())
    }

    func cancel() { body.cancel() }
}
