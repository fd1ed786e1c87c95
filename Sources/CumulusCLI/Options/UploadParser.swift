// SPDX-License-Identifier: Apache-2.0

/// Interprets the words and options of `cumulus upload`.
struct UploadParser {
    private static let usage = "write cumulus upload FILE URL [ITEM ...]"

    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> UploadPlan {
        guard let file = arguments.words.first else {
            throw UsageMistake("missing file", hint: UploadParser.usage)
        }
        if file.isEmpty { throw UsageMistake("the file's name is empty", hint: UploadParser.usage) }
        let words = arguments.words.dropFirst()
        guard let named = words.first else { throw arguments.missingURL(UploadParser.usage) }
        if URLShorthand.isAnotherURL(file), !URLShorthand.isAnotherURL(named), !StoreURL.isOne(named) {
            throw UsageMistake("the file must come before the URL", hint: UploadParser.usage)
        }
        if !URLShorthand.isAnotherURL(named), !StoreURL.isOne(named),
            words.dropFirst().contains(where: URLShorthand.isAnotherURL)
        {
            throw UsageMistake(
                "an upload sends one file, but \(arguments.shown(named)) follows it",
                hint: "a file name with a space needs quotes; cumulus -f URL name@FILE name@FILE sends several"
            )
        }
        let method = arguments.method ?? "PUT"
        guard MethodName.isMethod(method) else {
            throw UsageMistake("\(quoted(method)) in --method is not a valid method", hint: "for example --method POST")
        }
        var request = arguments
        // Standard input is the file, or nothing.
        request.ignoreStdin = true
        // It was named by an option.
        request.anyMethod = arguments.method != nil
        let items = words.dropFirst()
        if let other = items.first(where: StoreURL.isOne) {
            throw UsageMistake(
                "there is a second URL, \(quotedURL(other)), but this command takes only one",
                hint: UploadParser.usage
            )
        }
        var object: StoreURL?
        if StoreURL.isOne(named) {
            let store = try StoreURL(parsing: named, endpoint: arguments.endpoint, in: surroundings)
            if arguments.authType == nil { request.authType = store.authType }
            object = store
        }
        var plan = try PlanParser(request, in: surroundings).plan(
            (method, object?.url ?? named, items),
            use: "an upload sends only the file",
            hint: "cumulus -f URL name=text name@FILE sends a form"
        )
        plan.body = file == "-" ? .uploadedInput : .file(path: file)
        let rates = RateParser(plan.arguments)
        plan.bandwidth = try rates.bandwidth()
        plan.rateLimit = try rates.rateLimit()
        plan.minimumRate = try rates.minimum()
        let pieces = try PieceParser(arguments, to: object, in: surroundings).upload(of: file, plan)
        let retries = RetryParser(plan.arguments)
        // The library's retries apply to them, as to downloads.
        if pieces != nil { retries.useDefault(in: &plan) } else { try retries.requireNumber() }
        return UploadPlan(request: plan, pieces: pieces, name: file == "-" ? "standard input" : PathName.last(of: file))
    }
}
