// SPDX-License-Identifier: Apache-2.0

/// Where a call's answer goes: memory, a stream, a file, nowhere; each runs the stages behind encoding that it needs.
///
/// A generic value, not a closure: a call in memory must not pay for what it captures.
protocol CallSink: Sendable {
    associatedtype Output: Sendable

    /// Whether the call waits for more than hooks and the transport, and so runs in a task of its own.
    var needsTask: Bool { get }

    /// Whether anything is sent: only then observers are told, groups take the request in, and others are replaced.
    var sends: Bool { get }

    /// Takes an approved draft through the stages from encoding on.
    func receive(_ draft: RequestDraft, _ call: Call, in pipeline: RequestPipeline) async throws -> Output

    /// Lets go of the tree's list, at once or when the body ends.
    func end(_ output: Output, _ registration: RequestRegistration) throws
}

extension CallSink {
    var sends: Bool { true }
}
