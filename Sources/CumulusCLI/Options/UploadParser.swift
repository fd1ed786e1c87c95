// SPDX-License-Identifier: Apache-2.0

/// Interprets the words and options of `cumulus upload`.
struct UploadParser {
    private static let usage = "cumulus upload FILE URL [ITEM ...]"

    private let command: UploadCommand
    private let surroundings: Surroundings

    init(_ command: UploadCommand, in surroundings: Surroundings) {
        self.command = command
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> UploadPlan {
        guard let file = command.words.first else {
            throw UsageMistake("there is no file", hint: UploadParser.usage)
        }
        if file.isEmpty { throw UsageMistake("the file's name is empty", hint: UploadParser.usage) }
        let words = command.words.dropFirst()
        guard let named = words.first else { throw UsageMistake("there is no URL", hint: UploadParser.usage) }
        if URLShorthand.hasScheme(file), !URLShorthand.hasScheme(named) {
            throw UsageMistake("the file comes before the URL", hint: UploadParser.usage)
        }
        let method = command.method ?? "PUT"
        guard MethodName.isWord(method) else {
            throw UsageMistake("--method takes a method, not \(quoted(method))", hint: "--method POST")
        }
        var request = CumulusCommand.bare([])
        request.request.base = command.base
        request.request.offline = command.offline
        request.request.curl = command.curl
        request.request.compress = command.compress ? 1 : 0
        // Standard input is the file, or nothing.
        request.request.ignoreStdin = true
        // It was named by an option.
        request.request.anyMethod = command.method != nil
        request.authorization = command.authorization
        request.session = command.session
        request.connection = command.connection
        request.output = command.output
        var url = named
        if StoreURL.isOne(named) {
            let store = try StoreURL(parsing: named, endpoint: command.pieces.endpoint, in: surroundings)
            url = store.url
            if command.authorization.authType == nil { request.authorization.authType = "aws4:\(store.region):s3" }
        }
        var plan = try PlanParser(request, in: surroundings).plan(
            (method, url, words.dropFirst()),
            use: "an upload sends the file alone",
            hint: "cumulus -f URL name=text name@FILE sends a form"
        )
        plan.body = file == "-" ? .uploadedInput : .file(path: file)
        let rates = try plan.transfer.completing(command.rates)
        if plan.isCurl, let rate = rates.limitRate { plan.curlOptions += ["--limit-rate", rate] }
        plan.bandwidth = try rates.bandwidth()
        plan.rateLimit = try rates.rateLimit()
        plan.minimumRate = try rates.minimum()
        let pieces = try PieceParser(command, in: surroundings).upload(of: file, plan)
        // The library's retries apply to them, as to downloads.
        if pieces != nil, !plan.choosesRetry { plan.retry = nil }
        return UploadPlan(request: plan, pieces: pieces, name: file == "-" ? "standard input" : PathName.last(of: file))
    }
}
