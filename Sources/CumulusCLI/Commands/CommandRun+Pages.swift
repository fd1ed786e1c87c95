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
        let draft = try await RequestBuilder(plan, console: console).build(over: transport)
        let items = draft.resource.pages(
            of: JSON.self,
            by: plan.paging,
            query: draft.query,
            headers: draft.headers,
            maxPages: pages
        )
        if let form = plan.output.table { return try await print(items, as: form, plan) }
        for try await item in items where !plan.output.isQuiet {
            var printer = BodyPrinter(type: .json, style: plan.output)
            try printer.take(ByteChunk(item.encoded()), console.write)
            try printer.finish(console.write)
            try console.write([UInt8(ascii: "\n")])
        }
        return .success
    }

    /// Prints the items when all have arrived, since a table's columns are known only then.
    private func print(
        _ items: some AsyncSequence<JSON, any Error>,
        as form: TableFormat,
        _ plan: Plan
    ) async throws -> CommandStatus {
        var held: [JSON] = []
        for try await item in items { held.append(item) }
        if !plan.output.isQuiet {
            try ResultForm(form, style: plan.output).write([.array(held)], console.write)
        }
        return .success
    }
}
