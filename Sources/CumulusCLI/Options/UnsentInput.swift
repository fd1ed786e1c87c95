// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Refuses standard input that was meant as the body but would not be sent.
///
/// A silent pipe is not input: the request is sent without it after a second, and bytes that arrive before the
/// response are reported.
struct UnsentInput {
    private let request: Arguments
    private let items: [RequestItem]
    private let surroundings: Surroundings

    /// Creates the check for the options and items of the command line; those of a configuration don't count.
    init(_ request: Arguments, _ items: [RequestItem], in surroundings: Surroundings) {
        self.request = request
        self.items = items
        self.surroundings = surroundings
    }

    /// Refuses a plan that doesn't send this command's own standard input, or notes that it may arrive later.
    ///
    /// A loop's list, which the shell reads as well, is not the command's own.
    func check(_ plan: inout Plan) throws(UsageMistake) {
        if plan.ignoresInput { return }
        switch plan.body {
        case .held, .input, .uploadedInput: return
        case .none: try checkWithoutBody(&plan)
        case .json, .form, .multipart, .raw, .file: try checkSecondBody(&plan)
        }
    }

    /// Refuses a request without a body if the command line describes one.
    private func checkWithoutBody(_ plan: inout Plan) throws(UsageMistake) {
        guard let description = bodyDescription() else { return }
        let content = surroundings.input().ownContent()
        plan.leavesInputOpen = content == .unknown
        guard content == .bytes else { return }
        let reason = plan.method.map { "with \($0)" } ?? "without a method"
        let remedy = plan.method == nil ? "cumulus post URL" : "the item @-"
        throw UsageMistake(
            "\(description) describes a body, but standard input is not sent \(reason)",
            hint: "\(remedy) sends standard input; --ignore-stdin leaves it unread"
        )
    }

    /// Refuses a second body on standard input.
    private func checkSecondBody(_ plan: inout Plan) throws(UsageMistake) {
        let source = surroundings.input()
        // A script's own input may be a file that nothing has read yet.
        let content = source.isSharedWithShell ? .end : source.ownContent()
        plan.leavesInputOpen = content == .unknown
        guard content == .bytes else { return }
        let item = items.first(where: \.kind.isData).map { item in
            // The item `@FILE` has no name.
            "the item \(quoted(item.name + item.kind.rawValue + (item.name.isEmpty ? item.value : "")))"
        }
        let other = request.raw == nil ? item ?? "the data" : "--raw"
        let isWhole = if case .raw = plan.body { true } else if case .file = plan.body { true } else { false }
        throw UsageMistake(
            "\(other) and standard input can't both be the body",
            hint: "\(isWhole ? "omit the other body to send standard input" : "name=@- sends it as a value"); "
                + "--ignore-stdin leaves it unread"
        )
    }

    /// The option or header field that describes a body, as the user wrote it.
    private func bodyDescription() -> String? {
        if request.json { return "-j" }
        if request.form { return "-f" }
        if request.compress > 0 { return "--compress" }
        if request.chunked { return "--chunked" }
        let field = items.first { item in
            // The fields of a representation (RFC 9110 section 8).
            item.name.lowercased().begins(with: "content-")
                && (item.kind == .headerFromFile || item.kind == .header && !item.value.trimmed.isEmpty)
        }
        return field?.name
    }
}
