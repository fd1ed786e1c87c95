// SPDX-License-Identifier: Apache-2.0

/// Takes the whole body into memory, and returns the response or a value from it.
struct MemorySink<Output: Sendable>: CallSink {
    let form: ResponseForm<Output>

    var needsTask: Bool { false }
    var wantsValue: Bool { form.needsSuccess }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws -> Output {
        let encoding = pipeline.encoding
        let encoded = draft.payload.isValue ? try await encoding.encodeElsewhere(draft) : try encoding.encode(draft)
        let came =
            if let key = draft.key, draft.joins {
                try await pipeline.join(encoded, key, call)
            } else {
                try await pipeline.exchange.perform(encoded, call)
            }
        let processing = pipeline.responseProcessing
        let received = processing.processors.isEmpty ? came : try await processing.process(came)
        let judged = try form.judge(received)
        let validation = pipeline.validation
        let accepted = validation.validators.isEmpty ? judged : try await validation.accept(judged)
        call.registration?.note(accepted)
        switch form.reading {
        // Post-processors only see values: a caller who wants the response itself gets it as received.
        case .whole(let read): return read(accepted)
        case .decoded(let read):
            let decoded = try await read(accepted, pipeline.decoding)
            return try await pipeline.postProcessing.finish(decoded, of: accepted)
        }
    }

    func end(_ output: Output, _ registration: RequestRegistration) throws { try registration.complete() }
}
