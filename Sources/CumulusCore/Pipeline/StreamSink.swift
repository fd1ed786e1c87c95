// SPDX-License-Identifier: Apache-2.0

/// Delivers the body as it arrives; the settings for values apply to each element later.
struct StreamSink: CallSink {
    /// Whether unsuccessful responses are wanted as well.
    let anyStatus: Bool

    var needsTask: Bool { false }
    var wantsValue: Bool { !anyStatus }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> ResponseStream
    {
        let encoding = pipeline.encoding
        let encoded = draft.payload.isValue ? try await encoding.encodeElsewhere(draft) : try encoding.encode(draft)
        return try await pipeline.exchange.open(encoded, call, anyStatus: anyStatus)
    }

    // The call continues until its body has been read.
    func end(_ output: ResponseStream, _ registration: RequestRegistration) throws {
        if let body = output.source as? TrackedBody {
            try body.attach(registration)
        } else {
            try registration.complete()
        }
    }
}
