// SPDX-License-Identifier: Apache-2.0

/// Takes the whole body into memory, decodes it as one type, and returns the post-processors' value.
struct ConversionSink<Decoded: Decodable & Sendable, Output: Sendable>: CallSink {
    var needsTask: Bool { false }

    func receive(_ draft: RequestDraft, _ call: Call, in pipeline: RequestPipeline) async throws -> Output {
        let response = try await MemorySink(form: .successful).receive(draft, call, in: pipeline)
        let decoded = try await pipeline.decoding.decode(response, as: Decoded.self)
        return try await pipeline.postProcessing.convert(decoded, of: response)
    }

    func end(_ output: Output, _ registration: RequestRegistration) throws { try registration.complete() }
}
