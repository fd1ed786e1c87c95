// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension CommandRun {
    /// Prints the items of a list's pages as they arrive: laid out for a terminal, one per line for a pipe.
    ///
    /// Items before an error are printed.
    func printPages(_ plan: Plan, most pages: Int, over transport: any Transport) async throws -> CommandStatus {
        let draft = try await RequestBuilder(plan, console: console, renewals: renewals).build(over: transport)
        if plan.cacheFolder != nil { refreshes.add(draft.resource) }
        let items = draft.resource.pages(
            of: JSON.self,
            by: plan.paging,
            query: draft.query,
            headers: draft.headers,
            maxPages: pages
        )
        let doubt = try await print(items.byPage, plan)
        guard pages == .max, let doubt else { return .success }
        if !plan.output.isSilent { console.note("cumulus: warning: \(CommandRun.text(doubt))") }
        return .morePages
    }

    /// A warning that the first page may not be the whole list.
    private static func text(_ doubt: PagingRule.Ambiguity) -> String {
        let rule = "--paging can describe how to find the next page"
        return switch doubt {
        case .nothingSaid:
            "only one page was read, because it has no link to the next page; \(rule), and --pages 1 accepts this page as "
                + "the whole list"
        case .missing(let name):
            "only one page was read: --paging refers to \(quoted(name)), which this page does not contain"
        case .fewer(let count, let total): "only one page was read: it has \(count) of \(total) items; \(rule)"
        case .onePage(let pages): "only one of \(pages) pages was read; \(rule)"
        case .guessed(let name):
            "this may be a single object, not a list: its only array, \(quoted(name)), was printed as the items; "
                + "--pages 1 prints them without this warning"
        }
    }

    /// Prints the items, and returns why the only page may not be the whole list.
    private func print(_ pages: Pages<JSON>.ByPage, _ plan: Plan) async throws -> PagingRule.Ambiguity? {
        // A table's columns are known only when all have arrived.
        var held: [JSON] = []
        do {
            let doubt = try await print(pages, plan, &held)
            try printTable(held, plan)
            return doubt
        } catch let error where error is CumulusError || error is JSONFilter.Unreadable {
            // The items before the error are not lost.
            do { if !held.isEmpty { try printTable(held, plan) } } catch is ClosedOutput {}
            throw (error as? CumulusError).flatMap(CommandRun.foreignList) ?? error
        }
    }

    /// The problem of a page that is not JSON, without the names of types; `nil` for other errors.
    private static func foreignList(_ error: CumulusError) -> SystemProblem? {
        guard error.code == .decoding, let response = error.response else { return nil }
        let type = response.headers[.contentType].flatMap { MediaType($0) }
        let named =
            BodyKind(type) == .json
            ? "this response is not valid JSON"
            : type.map { "this response is \($0.essence)" } ?? "this response has no media type"
        return SystemProblem(
            description: "decoding: \(error.request?.redactedURL ?? ""): --pages needs a JSON list, but \(named)"
        )
    }

    private func printTable(_ items: [JSON], _ plan: Plan) throws {
        guard let form = plan.output.table, !plan.output.isQuiet else { return }
        try ResultForm(form, style: plan.output).write([.array(items)], console.write)
    }

    private func print(
        _ pages: Pages<JSON>.ByPage,
        _ plan: Plan,
        _ held: inout [JSON]
    ) async throws -> PagingRule.Ambiguity? {
        let values = FilteredBody(style: plan.output, warn: console.note)
        var hasWarned = false
        var doubt: PagingRule.Ambiguity?
        var count = 0
        for try await page in pages {
            doubt = page.ambiguity
            if values.holdsValues { count += page.response.bytes.count }
            if count > FilteredBody.limit {
                let reason = "the pages are longer than 64 MiB; --as jsonl prints each value as it arrives"
                throw JSONFilter.Unreadable(option: "--as", reason: reason)
            }
            if !hasWarned, let warning = JSONTokens.equalNameWarning(in: page.response.bytes.bytes) {
                hasWarned = true
                console.note(warning)
            }
            for item in page.items {
                try Task.checkCancellation()
                if plan.output.isQuiet { continue }
                let found = try plan.output.filter?.values(in: item)
                if plan.output.table == .jsonl {
                    for value in found ?? [item] { try values.writeJSON(value.encoded(), console.write) }
                } else if values.holdsValues {
                    held += found ?? [item]
                } else if let found {
                    for value in found { try values.writeLine(value, console.write) }
                } else {
                    try values.writeJSON(item.encoded(), console.write)
                }
            }
        }
        return doubt
    }
}
