// SPDX-License-Identifier: Apache-2.0

/// Reads a page's body into memory, and returns its items and the place of the next page.
struct PageSink<Item: Decodable & Sendable>: CallSink {
    let number: Int
    /// `nil` uses the setting.
    let rule: PagingRule?

    /// Bodies longer than this are decoded off the caller's actor.
    private static var inlineLimit: Int { 65_536 }

    var needsTask: Bool { false }
    var wantsValue: Bool { true }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> Pages<Item>.Page
    {
        let response = try await MemorySink(form: .successful).receive(draft, call, in: pipeline)
        let rule = rule ?? draft.settings.value(PagingKey.self)
        let (content, items) =
            response.bytes.count <= PageSink.inlineLimit
            ? try PageSink.read(response, by: rule) : try await PageSink.readElsewhere(response, by: rule)
        // The same value as that of `get(as: [Item].self)`, so that hooks for lists recognize it.
        let finished = try await pipeline.postProcessing.finish(items, of: response)
        return Pages<Item>.Page(items: finished, response: response, number: number, by: rule, content)
    }

    func end(_ output: Pages<Item>.Page, _ registration: CallRegistration) throws { try registration.complete() }

    @concurrent
    private static func readElsewhere(
        _ response: Response,
        by rule: PagingRule
    ) async throws -> (PageContent, [Item]) { try read(response, by: rule) }

    private static func read(_ response: Response, by rule: PagingRule) throws -> (PageContent, [Item]) {
        let content = try PageContent(response, for: rule)
        return (content, try content.items(of: Item.self, by: rule))
    }
}
