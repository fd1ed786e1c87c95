// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension CommandRun {
    /// Prints the items of a list's pages as they arrive: laid out for a terminal, one per line for a pipe.
    ///
    /// Items before an error are printed.
    func printPages(_ plan: Plan, most pages: Int, over transport: any Transport) async throws -> CommandStatus {
        var plan = plan
        // Piped input is not part of a list's request.
        plan.body = .none
        let draft = try await RequestBuilder(plan, console: console, renewals: renewals).build(over: transport)
        let items = draft.resource.pages(
            of: JSON.self,
            by: plan.paging,
            query: draft.query,
            headers: draft.headers,
            maxPages: pages
        )
        try await print(items.byPage, plan)
        return .success
    }

    private func print(_ pages: Pages<JSON>.ByPage, _ plan: Plan) async throws {
        let values = FilteredBody(style: plan.output, warn: console.note)
        // A table's columns are known only when all have arrived.
        var held: [JSON] = []
        var hasWarned = false
        for try await page in pages {
            if !hasWarned, let warning = JSONTokens.equalNameWarning(in: page.response.bytes.bytes) {
                hasWarned = true
                console.note(warning)
            }
            for item in page.items {
                try Task.checkCancellation()
                if plan.output.isQuiet { continue }
                let found = try plan.output.filter?.values(in: item)
                if plan.output.table != nil {
                    held += found ?? [item]
                } else if let found {
                    for value in found { try values.writeLine(value, console.write) }
                } else {
                    try values.writeJSON(item.encoded(), console.write)
                }
            }
        }
        guard let form = plan.output.table, !plan.output.isQuiet else { return }
        try ResultForm(form, style: plan.output).write([.array(held)], console.write)
    }
}
