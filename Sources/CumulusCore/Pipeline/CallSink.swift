// SPDX-License-Identifier: Apache-2.0

/// The destination of a call's response: memory, a stream, a file, none; each runs the stages after encoding it needs.
///
/// A generic value, not a closure: a call in memory must not pay for captured values.
protocol CallSink: Sendable {
    associatedtype Output: Sendable

    /// Whether the call waits for more than hooks and the transport, and so runs in its own task.
    var needsTask: Bool { get }

    /// Whether anything is sent: only then are observers called, groups joined, and other requests replaced.
    var sends: Bool { get }

    /// Whether the caller asks for a value or for success, and not for a response of any status.
    var wantsValue: Bool { get }

    /// Passes an approved draft through the stages from encoding on.
    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws -> Output

    /// Removes the call from the tree's list, immediately or when the body ends.
    func end(_ output: Output, _ registration: RequestRegistration) throws
}

extension CallSink {
    var sends: Bool { true }
    var wantsValue: Bool { false }
}
