// SPDX-License-Identifier: Apache-2.0

/// The destination of a call's response: memory, a stream, a file, or none.
///
/// Each sink runs the parts of the pipeline that it needs, from encoding on.
///
/// A generic value, not a closure: a call in memory must not pay for captured values.
protocol CallSink: Sendable {
    associatedtype Output: Sendable

    /// Whether the call may wait for more than hooks and the transport, and therefore runs in its own task.
    var needsTask: Bool { get }

    /// Whether anything is sent. Only then are observers called, groups joined, and other requests replaced.
    var sends: Bool { get }

    /// Whether the caller requests a value or success, and not a response of any status.
    var wantsValue: Bool { get }

    /// Passes an approved draft through the pipeline, from encoding on.
    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws -> Output

    /// Removes the call from the tree's list, immediately or when the body ends.
    func end(_ output: Output, _ registration: CallRegistration) throws
}

extension CallSink {
    var sends: Bool { true }
    var wantsValue: Bool { false }
}

/// Sends nothing: returns the request as its first attempt would send it, for `curl()`.
struct PreviewSink: CallSink {
    var needsTask: Bool { false }
    var sends: Bool { false }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> EncodedRequest
    {
        try await pipeline.attemptLoop.preview(try pipeline.encoding.encode(draft), call)
    }

    func end(_ output: EncodedRequest, _ registration: CallRegistration) throws { try registration.complete() }
}

/// Delivers the body as it arrives; the settings for values apply to each element later.
struct StreamSink: CallSink {
    /// Whether unsuccessful responses are delivered as well.
    let anyStatus: Bool

    var needsTask: Bool { false }
    var wantsValue: Bool { !anyStatus }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> ResponseStream
    {
        let encoding = pipeline.encoding
        let encoded = draft.payload.isValue ? try await encoding.encodeElsewhere(draft) : try encoding.encode(draft)
        return try await pipeline.attemptLoop.open(encoded, call, anyStatus: anyStatus)
    }

    // The call continues until its body has been read.
    func end(_ output: ResponseStream, _ registration: CallRegistration) throws {
        if let body = output.source as? TrackedBody {
            try body.attach(registration)
        } else {
            try registration.complete()
        }
    }
}

/// Reads the whole body into memory, and returns the response or a value made from it.
struct MemorySink<Output: Sendable>: CallSink {
    let form: ResponseForm<Output>

    var needsTask: Bool { false }
    var wantsValue: Bool { form.needsSuccess }

    // Inlined, as in `AttemptStages.attempt`.
    @inline(__always)
    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws -> Output {
        let encoded =
            draft.payload.isValue
            ? try await pipeline.encoding.encodeElsewhere(draft) : try pipeline.encoding.encode(draft)
        let observedKey = pipeline.observedKey(of: encoded)
        let came =
            if let key = draft.key, draft.joins {
                try await pipeline.join(encoded, key, call)
            } else {
                try await pipeline.attemptLoop.perform(encoded, call)
            }
        let isProcessed = !pipeline.responseProcessing.processors.elements.isEmpty
        let received = isProcessed ? try await pipeline.responseProcessing.process(came) : came
        let judged = try form.judge(received)
        let isValidated = !pipeline.validation.validators.elements.isEmpty
        let accepted = isValidated ? try await pipeline.validation.accept(judged) : judged
        call.registration?.note(accepted)
        if !pipeline.context.observed.isEmpty {
            pipeline.feed(accepted, to: encoded, draft, call, since: observedKey)
        }
        switch form.reading {
        // Post-processors only see values. A caller that requests the response itself receives it unchanged.
        case .whole(let read): return read(accepted)
        case .decoded(let read):
            let decoded = try await read(accepted, pipeline.decoding)
            return try await pipeline.postProcessing.finish(decoded, of: accepted)
        }
    }

    func end(_ output: Output, _ registration: CallRegistration) throws { try registration.complete() }
}
