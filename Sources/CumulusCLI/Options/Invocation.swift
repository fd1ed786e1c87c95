// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
        case .edit, .login, .logout, .services, .cache, .trust, .text: false
        }
    }

    /// The output of `--version`.
    static let version = "cumulus 0.1.0"

    /// Parses a command line; the result depends only on its arguments.
    ///
    /// - Throws: ``UsageMistake``.
    static func parse(_ given: [String], in surroundings: Surroundings) throws(UsageMistake) -> Invocation {
        let hasOptions = given.contains { $0.utf8.first == UInt8(ascii: "-") }
        let arguments = hasOptions ? ArgumentSpelling.mended(given) : given
        if hasOptions { try ArgumentSpelling.checkFlags(given) }
        let own = Array(arguments.dropFirst())
        // On its own, -h asks for help even where it prints headers.
        let isCommand = arguments.first.map(SimilarName.commands.contains) ?? false
        if own == ["-h"] && isCommand || arguments == ["-h"] {
            return .text(help(on: isCommand ? arguments[0] : "", in: surroundings))
        }
        switch arguments.first {
        case "help":
            let names = own.filter { !asksForHelp($0, on: nil) }
            guard names.count <= 1 else { throw UsageMistake("help takes one topic", hint: "cumulus help exit-codes") }
            let topic = try names.first.map { (name) throws(UsageMistake) in try HelpTopic(named: name) } ?? .request
            return .text(HelpPage(topic, columns: surroundings.outputColumns).text)
        case "download":
            return try parsed(own, \.words, in: surroundings) { (command: DownloadCommand) throws(UsageMistake) in
                .download(try DownloadParser(command, in: surroundings).plan())
            }
        case "upload":
            return try parsed(own, \.words, in: surroundings) { (command: UploadCommand) throws(UsageMistake) in
                .upload(try UploadParser(command, in: surroundings).plan())
            }
        case "events":
            return try parsed(own, \.words, in: surroundings) { (command: EventsCommand) throws(UsageMistake) in
                .events(try EventsParser(command, in: surroundings).plan())
            }
        case "edit":
            return try parsed(own, \.words, in: surroundings) { (command: EditCommand) throws(UsageMistake) in
                .edit(try EditParser(command, in: surroundings).plan())
            }
        case "login":
            return try parsed(own, in: surroundings) { (command: LoginCommand) throws(UsageMistake) in
                let (plan, login) = try LoginParser(in: surroundings).plan(command)
                return .login(plan, login)
            }
        case "logout":
            return try parsed(own, in: surroundings) { (command: LogoutCommand) throws(UsageMistake) in
                .logout(try LoginParser(in: surroundings).plan(command))
            }
        case "call":
            return try parsed(own, \.words, in: surroundings) { (command: CallCommand) throws(UsageMistake) in
                .request(try CallParser(command, in: surroundings).plan())
            }
        case "services":
            return try parsed(own, in: surroundings) { (command: ServicesCommand) throws(UsageMistake) in
                .services(try ServicesParser(command, in: surroundings).plan())
            }
        case "cache", "config", "trust", "completions", "__complete":
            return try aboutTheCommand(arguments[0], own, given, in: surroundings)
        default:
            if let command = CumulusCommand.usual(arguments) { return try request(command, in: surroundings) }
            return try parsed(arguments, \.words, in: surroundings) { (command: CumulusCommand) throws(UsageMistake) in
                try request(command, in: surroundings)
            }
        }
    }

    /// Commands for configuring or completing the command itself.
    private static func aboutTheCommand(
        _ name: String,
        _ own: [String],
        _ given: [String],
        in surroundings: Surroundings
    ) throws(UsageMistake) -> Invocation {
        switch name {
        case "cache":
            return try parsed(own, in: surroundings) { (command: CacheCommand) throws(UsageMistake) in
                .cache(try CachePlan(command, in: surroundings))
            }
        case "config":
            return try parsed(own, in: surroundings) { (command: ConfigCommand) throws(UsageMistake) in
                .text(try ConfigurationListing(command, in: surroundings).text())
            }
        case "trust":
            return try parsed(own, in: surroundings) { (command: TrustCommand) throws(UsageMistake) in
                .trust(TrustPlan(isApproved: command.yes, removes: command.remove))
            }
        case "__complete":
            return .text(Completion(Array(given.dropFirst()), in: surroundings).lines)
        default:
            return .text(try completions(own, in: surroundings))
        }
    }

    /// The arguments parsed by a grammar, or that grammar's help; `words` is where it puts what is not an option.
    private static func parsed<Command: ParsableCommand>(
        _ arguments: [String],
        _ words: WritableKeyPath<Command, [String]>? = nil,
        in surroundings: Surroundings,
        _ understand: (Command) throws(UsageMistake) -> Invocation
    ) throws(UsageMistake) -> Invocation {
        let name = Command.configuration.commandName ?? "cumulus"
        let own: String = name.parts(at: " ").last ?? ""
        let topic = HelpTopic(rawValue: own) ?? .request
        // Looked for here: ArgumentParser lays out a help page of its own first, and traps in a narrow terminal.
        if arguments.prefix(while: { $0 != "--" }).contains(where: { asksForHelp($0, on: topic) }) {
            return .text(help(on: own, in: surroundings))
        }
        let held = words == nil ? nil : HeldWords(arguments)
        var command: Command
        do {
            command = try Command.parse(held?.arguments ?? arguments)
        } catch {
            throw mistake(Command.message(for: error), help: name)
        }
        if let held, let words { command[keyPath: words] = held.restored(command[keyPath: words]) }
        return try understand(command)
    }

    /// Whether an argument asks for help; `-h` does so only where it doesn't print the response's headers.
    private static func asksForHelp(_ argument: String, on topic: HelpTopic?) -> Bool {
        switch argument {
        case "--help", "--help-hidden": true
        case "-h": topic?.printsResponse != true
        default: false
        }
    }

    /// A shell's completion script, or the manual page.
    private static func completions(_ words: [String], in surroundings: Surroundings) throws(UsageMistake) -> String {
        if words.contains(where: { asksForHelp($0, on: .completions) }) {
            return help(on: "completions", in: surroundings)
        }
        if words == ["man"] { return ManualPage.text }
        guard words.count == 1, let script = CompletionScript(rawValue: words[0]) else {
            throw UsageMistake("completions takes bash, zsh, fish or man", hint: "cumulus help completions")
        }
        return script.text
    }

    /// The help page of a command; for any other word, that of requests.
    private static func help(on name: String, in surroundings: Surroundings) -> String {
        HelpPage(HelpTopic(rawValue: name) ?? .request, columns: surroundings.outputColumns).text
    }

    private static func request(
        _ command: CumulusCommand,
        in surroundings: Surroundings
    ) throws(UsageMistake) -> Invocation {
        if command.version { return .text(version) }
        if let code = command.explainExit { return .text(try explanation(of: code)) }
        if command.words.isEmpty {
            throw UsageMistake("there is no URL", hint: "cumulus [METHOD] URL [ITEM ...]; see cumulus --help")
        }
        let plans = try PlanParser(command, in: surroundings).plans()
        return plans.count == 1 ? .request(plans[0]) : .requests(plans)
    }

    private static func explanation(of text: String) throws(UsageMistake) -> String {
        guard let code = Int32(text), let status = CommandStatus(rawValue: code) else {
            let known = CommandStatus.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw UsageMistake("\(quoted(text)) is not an exit code of this command", hint: "there are \(known)")
        }
        return "\(status.rawValue): \(status.meaning)"
    }

    /// An option without its value, which may be a password: `--auth=ada:pw`, `-aada:pw`.
    private static func optionAlone(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.starts(with: "-".utf8) else { return text }
        // A space follows if the grammar is quoted: `-a <user:pass|token>`.
        let name = bytes.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
                true
            default: false
            }
        }
        let isLong = bytes.starts(with: "--".utf8)
        let isGrammar = bytes[name.endIndex...].starts(with: " <".utf8) && text.ends(with: ">")
        if isLong { return isGrammar ? text : name.text }
        return isGrammar ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(2)))
    }

    /// How to give a value that begins with a dash, which is read as an option.
    private static func joined(_ line: String, _ option: String?) -> String? {
        guard line.has("Missing value"), let name = option?.parts(at: " ").first, name.begins(with: "--") else {
            return nil
        }
        return "join a value that begins with a dash with =: \(name)=-1"
    }

    private static func mistake(_ message: String, help: String) -> UsageMistake {
        let line = message.parts(at: "\n").first { !$0.isEmpty } ?? "the command line is not valid"
        let quotes = line.parts(at: "'")
        // Quoted text that begins with a dash is an option, with any text that the caller joined to it.
        // A value given to a flag, or one that is not allowed, may be a secret.
        let isStray = line.has("does not take any value")
        let reason = quotes.enumerated().map { index, text in
            if index.isMultiple(of: 2) || text.isEmpty { return text }
            return text.utf8.starts(with: "-".utf8) ? optionAlone(text) : isStray ? "..." : text
        }.joined(separator: "'")
        let option = quotes.first { $0.utf8.starts(with: "-".utf8) }
        let hint =
            option.flatMap { OptionHint.of($0, in: help, hasIt: line.has("Missing value")) } ?? joined(line, option)
            ?? "\(help) --help lists the options"
        // ArgumentParser ends its sentences; a reason here is the middle of a line.
        return UsageMistake(reason.ends(with: ".") ? String(reason.dropLast()) : reason, hint: hint)
    }
}
