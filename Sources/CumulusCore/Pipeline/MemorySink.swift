// SPDX-License-Identifier: Apache-2.0

/// Takes the whole body into memory, and gives the response or a value of it.
struct MemorySink<Output: Sendable>: CallSink {
    let form: ResponseForm<Output>

    var needsTask: Bool { false }

    func receive(_ draft: RequestDraft, _ call: Call, in pipeline: RequestPipeline) async throws -> Output {
        let encoding = pipeline.encoding
        let encoded = draft.payload.isValue ? try await encoding.encodeElsewhere(draft) : try encoding.encode(draft)
        let received = try await pipeline.exchange(encoded, call)
        let processing = pipeline.responseProcessing
        let judged = try form.judge(processing.processors.isEmpty ? received : await processing.process(received))
        let validation = pipeline.validation
        let accepted = validation.validators.isEmpty ? judged : try await validation.accept(judged)
        call.registration?.note(accepted)
        let decoded = try await form.read(accepted, pipeline.decoding)
        return try await pipeline.postProcessing.finish(decoded, of: accepted)
    }

    func end(_ output: Output, _ registration: RequestRegistration) throws { try registration.complete() }
}
