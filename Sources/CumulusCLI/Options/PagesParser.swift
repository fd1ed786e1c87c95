// SPDX-License-Identifier: Apache-2.0

/// Works out what `--pages` means.
struct PagesParser {
    private let command: CumulusCommand
    private let plan: Plan

    init(_ command: CumulusCommand, _ plan: Plan) {
        self.command = command
        self.plan = plan
    }

    /// How many pages are asked for, `Int.max` for all; `nil` where the option is not there.
    func pages() throws(UsageMistake) -> Int? {
        guard let text = command.request.pages else { return nil }
        guard let pages = text == "all" ? Int.max : Int(text), pages > 0 else {
            throw UsageMistake("--pages takes a number of pages or all, not \(quoted(text))", hint: "--pages all")
        }
        if let method = plan.method, method != "GET" {
            throw UsageMistake("--pages reads a list by GET, and the method is \(method)")
        }
        if case .none = plan.body {
        } else if case .input = plan.body {
        } else {
            throw UsageMistake(
                "--pages reads a list by GET, which has no data",
                hint: "a query item is written name==text"
            )
        }
        let options = command.output
        if options.headers || options.meta || options.verbose > 0 || options.print != nil || options.output != nil {
            throw UsageMistake(
                "--pages prints items only, so --headers, --meta, --verbose, --print and --output can't be meant",
                hint: "--explain tells what was sent"
            )
        }
        return pages
    }
}
