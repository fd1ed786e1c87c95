// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A parsed command line.
///
/// Indirect because code that copies a whole plan is large.
indirect enum Invocation: Sendable {
    /// A request.
    case request(Plan)
    /// The same request to several URLs, one after the other.
    case requests([Plan])
    /// Downloads.
    case download(DownloadJob)
    /// An upload.
    case upload(UploadPlan)
    /// Server-sent events.
    case events(EventsPlan)
    /// A document in the editor.
    case edit(EditPlan)
    /// A login with OAuth 2.
    case login(LoginPlan, SavedLogin)
    /// A logout.
    case logout(LoginPlan)
    /// Listing, showing and adding services.
    case services(ServicesPlan)
    /// Listing, showing and removing sessions.
    case sessions(SessionsPlan)
    /// Listing, showing and removing stored responses.
    case cache(CachePlan)
    /// Trust in the working folder's configuration.
    case trust(TrustPlan)
    /// A text for standard output: help, version, the meaning of an exit code.
    case text(String)

    /// Whether only the exit status is reported.
    var isSilent: Bool {
        switch self {
        case .request(let plan): plan.output.isSilent
        case .requests(let plans): plans.contains { $0.output.isSilent }
        case .download(let job): job.requests.contains { $0.output.isSilent }
        case .upload(let plan): plan.request.output.isSilent
        case .events(let plan): plan.request.output.isSilent
        case .edit, .login, .logout, .services, .sessions, .cache, .trust, .text: false
        }
    }

    /// The output of `--version`.
    static let version = "cumulus 0.1.0"

    /// Parses a command line; the result depends only on its arguments.
    ///
    /// - Throws: ``UsageMistake``.
    static func parse(_ given: [String], in surroundings: Surroundings) throws(UsageMistake) -> Invocation {
        switch given.first {
        case "__complete": return .text(Completion(Array(given.dropFirst()), in: surroundings).lines)
        // The options after `curl` are those of curl.
        case "curl" where !given.dropFirst().contains(where: { asksForHelp($0, on: .curl) }):
            return try CurlImport(in: surroundings).invocation(Array(given.dropFirst()))
        case "help": return .text(try help(on: Array(given.dropFirst()), in: surroundings))
        default: break
        }
        let command = Subcommand(word: given.first) ?? .request
        let own = command == .request ? given : Array(given.dropFirst())
        let options = own.prefix { $0 != "--" }
        // On its own, -h asks for help even where it prints headers.
        if own == ["-h"] || options.contains(where: { asksForHelp($0, on: command) }) {
            let columns = surroundings.outputColumns
            let page = command == .request ? HelpPage(overviewFor: columns) : HelpPage(.of(command), columns: columns)
            return .text(page.text)
        }
        return try invocation(try ArgumentParser.parse(own, for: command), in: surroundings)
    }

    private static func invocation(
        _ arguments: Arguments,
        in surroundings: Surroundings
    ) throws(UsageMistake) -> Invocation {
        switch arguments.command {
        case .request: return try request(arguments, in: surroundings)
        case .download: return .download(try DownloadParser(arguments, in: surroundings).plan())
        case .upload: return .upload(try UploadParser(arguments, in: surroundings).plan())
        case .events: return .events(try EventsParser(arguments, in: surroundings).plan())
        case .edit: return .edit(try EditParser(arguments, in: surroundings).plan())
        case .login:
            let (plan, login) = try LoginParser(in: surroundings).login(arguments)
            return .login(plan, login)
        case .logout: return .logout(try LoginParser(in: surroundings).logout(arguments))
        case .call: return .request(try CallParser(arguments, in: surroundings).plan())
        case .services: return .services(try ServicesParser(arguments, in: surroundings).plan())
        case .curl: return try CurlImport(in: surroundings).invocation(arguments.words)
        case .sessions: return .sessions(try SessionsPlan(arguments, in: surroundings))
        case .cache: return .cache(try CachePlan(arguments, in: surroundings))
        case .config: return .text(try ConfigurationListing(arguments, in: surroundings).text())
        case .trust:
            if let word = arguments.words.first {
                throw UsageMistake("trust takes no arguments, but got \(quotedURL(word))", hint: "write cumulus trust")
            }
            return .trust(TrustPlan(isApproved: arguments.yes, removes: arguments.remove))
        case .completions: return .text(try completions(arguments.words))
        }
    }

    /// Whether an argument asks for help; `-h` does so only where it doesn't print the response's headers.
    private static func asksForHelp(_ argument: String, on command: Subcommand) -> Bool {
        argument == "--help" || argument == "-h" && !command.printsResponse
    }

    /// The page of `cumulus help TOPIC`; without a topic, that of `cumulus --help`.
    private static func help(on words: [String], in surroundings: Surroundings) throws(UsageMistake) -> String {
        // The words of a topic may be separate: exit codes.
        let names = words.filter { $0 != "--help" && $0 != "-h" }
        if names.isEmpty { return HelpPage(overviewFor: surroundings.outputColumns).text }
        let topic = try HelpTopic.named(names.joined(separator: "-"))
        return HelpPage(topic, columns: surroundings.outputColumns).text
    }

    /// A shell's completion script, or the manual page.
    private static func completions(_ words: [String]) throws(UsageMistake) -> String {
        if words == ["man"] { return ManualPage.text }
        guard words.count == 1, let script = CompletionScript(rawValue: words[0]) else {
            throw UsageMistake(
                "completions must be followed by bash, zsh, fish or man",
                hint: "see cumulus help completions"
            )
        }
        return script.text
    }

    private static func request(
        _ arguments: Arguments,
        in surroundings: Surroundings
    ) throws(UsageMistake) -> Invocation {
        if arguments.version { return .text(version) }
        if let code = arguments.explainExit { return .text(try explanation(of: code)) }
        if arguments.words.isEmpty {
            throw arguments.missingURL("write cumulus [METHOD] URL [ITEM ...]; see cumulus --help")
        }
        let plans = try PlanParser(arguments, in: surroundings).plans()
        return plans.count == 1 ? .request(plans[0]) : .requests(plans)
    }

    private static func explanation(of text: String) throws(UsageMistake) -> String {
        guard let code = Int32(text), let status = CommandStatus(rawValue: code) else {
            let known = CommandStatus.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw UsageMistake("\(quoted(text)) is not an exit code of this command", hint: "the codes are \(known)")
        }
        return "\(status.rawValue): \(status.meaning)"
    }
}
