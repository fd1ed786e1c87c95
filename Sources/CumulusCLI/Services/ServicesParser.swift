// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Interprets the words and options of `cumulus services`.
struct ServicesParser {
    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> ServicesPlan {
        let words = Array(arguments.words.dropFirst())
        let lookup = ServiceLookup(surroundings, for: arguments)
        let word = arguments.words.first ?? "list"
        // For the completion scripts only.
        if word == "candidates" { return .candidates(words) }
        guard let command = ServicesCommand(rawValue: word) else {
            throw UsageMistake(
                "services has no command \(quoted(word))",
                hint: "write cumulus \(ServicesCommand.synopsis)"
            )
        }
        switch command {
        case .list:
            try expect(words, 0, command)
            return .list
        case .show:
            guard (1...2).contains(words.count) else {
                throw UsageMistake(
                    "services show takes a service, and optionally an endpoint",
                    hint: "write \(command.usage)"
                )
            }
            let service = try lookup.shown(words[0]).service
            let endpoint = try words.dropFirst().first.map { (name) throws(UsageMistake) in
                try CallParser.endpoint(name, of: service)
            }
            return .show(service, endpoint: endpoint)
        case .verify:
            try expect(words, 1, command)
            return .verify(try lookup.path(of: words[0]).path)
        case .trust:
            try expect(words, 1, command)
            guard let trust = lookup.trust else {
                throw UsageMistake("the list of trusted files can't be saved: neither XDG_STATE_HOME nor HOME is set")
            }
            return .trust(try lookup.path(of: words[0]).path, trust)
        case .import:
            try expect(words, 1, command)
            return .take(try take(words[0], into: try lookup.ownFolder()))
        case .remove:
            try expect(words, 1, command)
            return .remove(try lookup.ownFiles(of: words[0]))
        case .completion:
            let shell = words.first ?? "bash"
            guard words.count <= 1, let script = CallCompletion.script(for: shell) else {
                throw UsageMistake(
                    "completion must be followed by bash, zsh or fish",
                    hint: "for example cumulus services completion bash"
                )
            }
            return .completion(script)
        }
    }

    private func expect(
        _ words: [String],
        _ count: Int,
        _ command: ServicesCommand
    ) throws(UsageMistake) {
        if words.count == count { return }
        throw UsageMistake(
            count == 0
                ? "services list takes no arguments"
                : words.isEmpty ? "missing service" : "this command takes one service",
            hint: "write \(command.usage)"
        )
    }

    private func take(_ word: String, into folder: ServiceFolder) throws(UsageMistake) -> ServicesPlan.Import {
        if let name = arguments.name, !ServiceFolder.isName(name) {
            throw UsageMistake(
                "\(quoted(name)) is not a valid service name",
                hint: "use letters, digits, dots, dashes and underscores"
            )
        }
        var base: String?
        if let word = arguments.base { base = try URLShorthand(parsing: word).url.description }
        let isURL = URLShorthand.isAnotherURL(word)
        var request: Plan?
        if isURL {
            var options = arguments.only(.authorization, .connection)
            options.words = ["GET", word, "Accept:application/json, application/yaml, */*;q=0.5"]
            options.ignoreStdin = true
            options.base = ""
            request = try PlanParser(options, in: surroundings).plans().first
        }
        return ServicesPlan.Import(
            file: isURL ? nil : surroundings.readFile.expanded(word),
            request: request,
            name: arguments.name,
            base: base,
            overwrites: arguments.overwrite,
            folder: folder
        )
    }
}
