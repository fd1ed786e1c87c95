// SPDX-License-Identifier: Apache-2.0

extension CallRequest {
    /// Passes the call through the pipeline, with the settings that the resource has now.
    func run<Sink: CallSink>(
        wanted: (any Any.Type)? = nil,
        into sink: Sink,
        _ start: CallBeginning?
    ) async throws -> Sink.Output {
        let settings = resource.snapshot
        let pipeline = settings.pipeline
        let draft = try RequestDraft(self, settings, pipeline, wanted: wanted, wantsValue: sink.wantsValue, start)
        return try await pipeline.run(draft, into: sink)
    }
}

extension CallBeginning {
    /// Puts a call on the list of its tree.
    static func started(
        _ id: CallID,
        _ call: CallRequest,
        wanted: (any Any.Type)?,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) -> CallBeginning {
        let settings = call.resource.snapshot
        let pipeline = settings.pipeline
        // A call that can't be made says why when it is sent.
        guard let draft = try? RequestDraft(call, settings, pipeline, wanted: wanted, id: id) else {
            return CallBeginning(id, nil, refusal: nil, progress: progress)
        }
        do {
            let listing = try pipeline.tracking.enter(draft, since: pipeline.exchange.clock.moment, sends: true)
            return CallBeginning(id, listing, refusal: nil, progress: progress)
        } catch {
            return CallBeginning(id, nil, refusal: error, progress: progress)
        }
    }
}
