// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Determines what is printed, and how: the options of the group OUTPUT.
struct OutputParser {
    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan for the response to a method.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan(of method: String?) throws(UsageMistake) -> OutputPlan {
        if arguments.output?.isEmpty == true { throw UsageMistake("--output is empty", hint: "write -o FILE") }
        let isTerminal = surroundings.outputIsTerminal
        let parts = try parts(of: method)
        let isAsked = isTerminal || arguments.indent != nil || arguments.sorted
        let formats = arguments.pretty.map { $0 == .all || $0 == .format } ?? isAsked
        let colors = arguments.pretty.map { $0 == .all || $0 == .colors } ?? surroundings.wantsColors
        var plan = OutputPlan(
            parts: parts,
            earlier: arguments.all ? .all : arguments.verbose > 0 ? .heads : .nothing,
            formats: formats,
            colors: colors,
            isTerminal: isTerminal,
            isWire: arguments.offline && !isTerminal && !formats && !colors,
            file: arguments.output == "-" ? nil : arguments.output,
            isQuiet: arguments.quiet > 0,
            isSilent: arguments.quiet > 1,
            indent: arguments.indent ?? 2,
            isSorted: arguments.sorted,
            filter: try arguments.filter.map { (path) throws(UsageMistake) in try JSONFilter(parsing: path) },
            format: try arguments.format.map { (text) throws(UsageMistake) in try ResultFormat(parsing: text) },
            metaIsJSON: arguments.json,
            charset: try charset(),
            responseType: try responseType(),
            showsSecrets: arguments.showSecrets
        )
        plan.theme = arguments.style ?? .theme
        plan.headFile = try headFile()
        plan.table = arguments.as
        plan.joins = arguments.join
        // A value is a line.
        if plan.table == .jsonl { plan.formats = false }
        if arguments.join, arguments.command != .events, arguments.filter == nil || arguments.as != nil {
            throw UsageMistake(arguments.as == nil ? "--join needs --filter" : "--join and --as can't be combined")
        }
        plan.tableWidth = isTerminal ? surroundings.outputColumns : nil
        plan.isUnicode = isTerminal && surroundings.isUnicode
        if isTerminal, !arguments.noPager, arguments.quiet == 0 { plan.pager = Pager(in: surroundings) }
        return plan
    }

    /// The file of `--headers-to`, if there is one response that it can be of.
    private func headFile() throws(UsageMistake) -> String? {
        guard let path = arguments.headersTo else { return nil }
        if arguments.pages != nil { throw UsageMistake("--headers-to and --pages can't be combined") }
        if arguments.offline { throw UsageMistake("--headers-to and --offline can't be combined") }
        if path == arguments.output { throw UsageMistake("--headers-to and -o can't write to the same file") }
        return path
    }

    private func charset() throws(UsageMistake) -> String? {
        guard let name = arguments.responseCharset else { return nil }
        // Checked with an empty text: only an unknown name fails.
        guard (try? TextCoder(charset: name).encode("", as: nil)) != nil else {
            throw UsageMistake(
                "--response-charset does not support \(quoted(name))",
                hint: "for example utf-8, latin1, gb2312 or shift_jis"
            )
        }
        return name
    }

    private func responseType() throws(UsageMistake) -> MediaType? {
        guard let text = arguments.responseMime else { return nil }
        guard let type = MediaType(text) else {
            throw UsageMistake(
                "--response-mime takes a media type, not \(quoted(text))",
                hint: "for example --response-mime application/json"
            )
        }
        return type
    }

    private func parts(of method: String?) throws(UsageMistake) -> OutputPlan.Parts {
        if let letters = arguments.print { return try OutputPlan.Parts(parsing: letters) }
        if arguments.verbose > 0 { return arguments.verbose > 1 ? [.all, .meta] : .all }
        var chosen: OutputPlan.Parts = []
        if arguments.headers { chosen.insert(.responseHead) }
        if arguments.body { chosen.insert(.responseBody) }
        if arguments.meta { chosen.insert(.meta) }
        if !chosen.isEmpty { return chosen }
        if arguments.offline { return [.requestHead, .requestBody] }
        if surroundings.outputIsTerminal { return [.responseHead, .responseBody] }
        // A response to HEAD has no body.
        return method?.uppercased() == "HEAD" && arguments.output == nil ? .responseHead : .responseBody
    }
}
