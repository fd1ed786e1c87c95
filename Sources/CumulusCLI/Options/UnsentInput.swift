// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A check that no input which was meant as the body is left unsent.
struct UnsentInput {
    /// How long the check waits for the first byte or the end of a pipe, in milliseconds.
    private static let patience: Int32 = 1_000

    private let request: RequestOptions
    private let items: [RequestItem]
    private let surroundings: Surroundings

    /// Makes the check for the options and items of the command line; those of a configuration don't count.
    init(_ request: RequestOptions, _ items: [RequestItem], in surroundings: Surroundings) {
        self.request = request
        self.items = items
        self.surroundings = surroundings
    }

    /// Refuses a plan that doesn't send this command's own standard input.
    ///
    /// A loop's list, which the shell reads as well, is not the command's own.
    func refuse(_ plan: Plan) throws(UsageMistake) {
        switch plan.body {
        case .held, .input, .uploadedInput: return
        case .none: try refuseWithoutBody(plan)
        case .json, .form, .multipart, .raw, .file: try refuseBesideBody(plan)
        }
    }

    /// Refuses a request without a body if the command line describes one.
    private func refuseWithoutBody(_ plan: Plan) throws(UsageMistake) {
        guard let sign = sign(), !plan.ignoresInput else { return }
        let source = surroundings.input()
        guard source.isOwn, source.content(UnsentInput.patience) != .end else { return }
        let reason = plan.method.map { "with \($0)" } ?? "without a method"
        let remedy = plan.method == nil ? "cumulus post URL" : "the item @-"
        throw UsageMistake(
            "\(sign) describes a body, but standard input is not sent \(reason)",
            hint: "\(remedy) sends standard input; --ignore-stdin leaves it unread"
        )
    }

    /// Refuses a second body on standard input, as far as it is there already.
    private func refuseBesideBody(_ plan: Plan) throws(UsageMistake) {
        guard !plan.ignoresInput else { return }
        let source = surroundings.input()
        // A script's own input may be a file that nothing has read yet.
        guard source.isOwn, source.isShared == false, source.content(0) == .bytes else { return }
        let data = items.first(where: \.kind.isData)
        let other = data.map { "the item \(quoted($0.name + $0.kind.rawValue))" } ?? "--raw"
        throw UsageMistake(
            "\(other) and standard input can't both be the body",
            hint: "name=@- sends it as a value; --ignore-stdin leaves it unread"
        )
    }

    /// The option or header that describes a body, as the user may have written it.
    private func sign() -> String? {
        if request.json { return "-j" }
        if request.form { return "-f" }
        if request.compress > 0 { return "-x" }
        if request.chunked { return "--chunked" }
        let hasType = items.contains { item in
            Headers.Name(item.name) == .contentType
                && (item.kind == .headerFromFile || item.kind == .header && !item.value.trimmed.isEmpty)
        }
        return hasType ? "Content-Type" : nil
    }
}
