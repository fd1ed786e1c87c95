// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices

/// Interprets `--pages`.
struct PagesParser {
    private let arguments: Arguments
    private let plan: Plan

    init(_ arguments: Arguments, _ plan: Plan) {
        self.arguments = arguments
        self.plan = plan
    }

    /// How many pages are requested, `Int.max` for all; `nil` without the option.
    func pages() throws(UsageMistake) -> Int? {
        guard let text = arguments.pages else { return nil }
        guard let pages = text == "all" ? Int.max : Int(text), pages > 0 else {
            throw UsageMistake("--pages takes a number of pages or all, not \(quoted(text))", hint: "write --pages all")
        }
        if let method = plan.method, method != "GET" {
            throw UsageMistake("--pages reads a list with GET, but the method is \(method)")
        }
        guard case .none = plan.body else {
            throw UsageMistake(
                "--pages reads a list with GET, which has no data",
                hint: "write name==text for a query item"
            )
        }
        let options = arguments
        if options.headers || options.meta || options.verbose > 0 || options.print != nil || options.output != nil {
            throw UsageMistake(
                "--pages prints items only, so it can't be combined with --headers, --meta, --verbose, --print or --output",
                hint: options.output == nil ? "--explain prints each attempt" : "write > FILE"
            )
        }
        if options.format != nil {
            throw UsageMistake("--format prints values of one response, but --pages may read many")
        }
        return pages
    }

    /// The rule for paging, from `--paging`: a word followed by `name=value`, or a JSON object.
    func rule() throws(UsageMistake) -> PagingRule? {
        guard let text = arguments.paging else { return nil }
        let hint = "for example --paging 'cursor at=meta.next query=after items=data'"
        if arguments.pages == nil {
            throw UsageMistake("--paging needs --pages", hint: "write --pages all")
        }
        let document = try PagesParser.document(text)
        do throws(ServiceProblems) {
            return try PagingRule(document)
        } catch {
            let reasons = error.problems.map(\.message).joined(separator: "; ")
            throw UsageMistake("--paging \(quoted(text)) is not a valid rule: \(reasons)", hint: hint)
        }
    }

    /// The rule in the form of a description.
    private static func document(_ text: String) throws(UsageMistake) -> JSON {
        if text.utf8.first == UInt8(ascii: "{") {
            guard let json = try? JSON(parsing: text) else {
                throw UsageMistake("--paging \(quoted(text)) begins like JSON, but is not valid JSON")
            }
            return json
        }
        let words: [String] = text.parts(at: " ").filter { !$0.isEmpty }.map { String($0) }
        var members = JSON.Object()
        for (index, word) in words.enumerated() {
            let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }.text
            let value = word.utf8.dropFirst(name.utf8.count + 1).text
            switch (index, name) {
            case (0, word): members["rule"] = .string(word)
            case (_, word):
                throw UsageMistake("--paging: \(quoted(word)) is not name=value", hint: "for example at=meta.next")
            case (_, "first"): members[name] = Int(value).map { JSON($0) } ?? .string(value)
            case (_, "origins"): members[name] = .array((value.parts(at: ",") as [String]).map(JSON.string))
            default: members[name] = .string(value)
            }
        }
        return .object(members)
    }
}
