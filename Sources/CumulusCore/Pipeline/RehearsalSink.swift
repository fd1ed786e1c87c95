// SPDX-License-Identifier: Apache-2.0

/// Sends nothing: returns the request as its first attempt would send it, for `curl()`.
struct RehearsalSink: CallSink {
    var needsTask: Bool { false }
    var sends: Bool { false }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> EncodedRequest
    {
        try await pipeline.exchange.rehearse(try pipeline.encoding.encode(draft), call)
    }

    func end(_ output: EncodedRequest, _ registration: RequestRegistration) throws { try registration.complete() }
}
