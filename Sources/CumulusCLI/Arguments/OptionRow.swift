// SPDX-License-Identifier: Apache-2.0

/// An option of the command: everything that is known about it, apart from its use.
///
/// Parsing, help, the manual, completion, configuration files, the resume command and hints all read this row.
// Sendable since it only has constants; a subclass with a typed value is the only reason that it is not final.
class OptionRow: @unchecked Sendable {
    /// The group of an option in help, which also says which commands have it.
    enum Group: String, CaseIterable, Sendable {
        /// The options of one command alone.
        case own = "Options"
        case request = "Request"
        case authorization = "Authorization"
        case session = "Session"
        case connection = "Connection"
        case output = "Output"

        /// The commands that have the options of the group.
        var commands: Set<Subcommand> {
            switch self {
            case .own: []
            case .request: [.request, .call]
            case .authorization: Subcommand.sending.union([.services])
            case .session: Subcommand.sending
            case .connection: Subcommand.sending.union([.services, .login, .logout])
            case .output: Subcommand.printing
            }
        }

        /// Whether most commands have the group, so that help names it only.
        var isShared: Bool { self == .authorization || self == .session || self == .connection }
    }

    /// The kind of an option's value.
    enum Kind: Equatable, Sendable {
        case flag
        /// A flag that means more if it is repeated.
        case count
        case text
        /// A text, for which a configuration may also have a boolean: yes or no.
        case textOrBoolean
        case choice([String])
        case seconds
        case integer(ClosedRange<Int>)
        /// A text for each repetition.
        case list
    }

    /// The equivalent for curl.
    enum CurlEquivalent: Equatable, Sendable {
        /// The request itself shows it, or curl needs nothing.
        case request
        /// The same value with another name; a number that is 0 is left out.
        case option(String)
        /// `CurlOptions` makes it from the plan.
        case plan
        /// curl has nothing like it.
        case missing
    }

    /// The candidates for the completion of a value.
    enum Candidates: Equatable, Sendable {
        case none
        case values([String])
        case files
        case valuesAndFiles([String])
        case profiles
        /// Sessions of the user's own folder, and files.
        case sessions
        /// Files after an @.
        case secrets
    }

    /// The part of a value that may be a secret, which is never printed.
    enum Secret: Sendable {
        /// Everything, or the part after the user name, depending on the kind of credentials.
        case credentials
        /// A URL's user, and its secret query items.
        case url
        /// A proxy's user.
        case proxy
        /// The text after the first colon.
        case password
        /// Everything.
        case whole
    }

    /// The values in a configuration that weaken a protection.
    enum Weakening: Sendable {
        case whenTrue
        case whenFalse
        /// The words for no.
        case whenNo
        case always
    }

    /// A role of an option in texts, or in decisions about several options.
    enum Role: Sendable {
        /// The short help lists it.
        case common
        /// Help names it as an example of its group.
        case wellKnown
        /// In a host's block, it applies to each connection to that host.
        case perHost
        /// It decides where a request goes, or in which form it carries credentials.
        case directing
        /// It is in the summary that is shown before a file is trusted.
        case summarized
    }

    /// The long name, without its dashes.
    let name: String
    let kind: Kind
    /// The name of the value; `nil` for a flag.
    let valueName: String?
    let group: Group
    let help: String
    private(set) var letter: Unicode.Scalar?
    private(set) var commands: Set<Subcommand>
    /// Whether a configuration file may set it.
    private(set) var isSetting = false
    /// Why it may not be in a host's block, with a hint; `nil` if it may.
    private(set) var hostRefusal: (reason: String, hint: String)?
    private(set) var secret: Secret?
    /// Whether its value, and not only a part of a URL, is a secret.
    var hasWholeSecret: Bool {
        switch secret {
        case .credentials, .password, .whole: true
        case .url, .proxy, nil: false
        }
    }
    private(set) var weakening: Weakening?
    private(set) var roles: Set<Role> = []
    /// Whether an upload in pieces has the option.
    ///
    /// Its protocol defines the requests, and no response is printed.
    private(set) var fitsPieces: Bool
    private(set) var curl = CurlEquivalent.request
    /// Whether the command that resumes a download repeats it.
    private(set) var isRepeated = true
    /// The options that can't be combined with it, with the reason, which may be empty.
    private(set) var conflicts: [String: String] = [:]
    /// Further options that say the same thing: if the command line has one, a configuration has no say.
    private(set) var relatives: Set<String> = []
    /// Whether the last one counts if it is combined with an option of `relatives`.
    private(set) var replacesRelatives = false
    private(set) var candidates = Candidates.none
    /// An example, for a missing value.
    private(set) var example: String?
    /// Spellings of other programs, with hints.
    private(set) var foreign: [String: String] = [:]
    /// Other help in some commands.
    private var otherHelp: [Subcommand: String] = [:]

    init(
        _ name: String,
        _ type: (kind: Kind, valueName: String?),
        _ group: Group,
        _ help: String,
        _ columns: [OptionColumn]
    ) {
        self.name = name
        (kind, valueName) = type
        self.group = group
        self.help = help
        commands = group.commands
        fitsPieces = group != .output
        if case .choice(let values) = kind { candidates = .values(values) }
        for column in columns { set(column) }
    }

    private func set(_ column: OptionColumn) {
        switch column {
        case .letter(let letter): self.letter = letter
        case .only(let commands): self.commands = commands
        case .also(let commands): self.commands.formUnion(commands)
        case .help(let command, let text): otherHelp[command] = text
        case .setting: isSetting = true
        case .notInHosts(let reason, let hint): hostRefusal = (reason, hint)
        case .secret(let secret): self.secret = secret
        case .weakens(let weakening): self.weakening = weakening
        case .roles(let roles): self.roles = roles
        case .pieces(let fits): fitsPieces = fits
        case .curl(let equivalent): curl = equivalent
        case .notRepeated: isRepeated = false
        case .conflicts(let names, let reason): for name in names { conflicts[name] = reason }
        case .relatives(let names): relatives = Set(names)
        case .replaces(let names): (relatives, replacesRelatives) = (Set(names), true)
        case .candidates(let candidates): self.candidates = candidates
        case .example(let example): self.example = example
        case .foreign(let spellings, let hint): for spelling in spellings { foreign[spelling] = hint }
        }
    }

    /// The help text in a command.
    func help(in command: Subcommand) -> String { otherHelp[command] ?? help }

    /// The names as a user writes them: the letter first, if there is one.
    var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    var takesValue: Bool { kind != .flag && kind != .count }

    /// The name by which the command line turns off a flag that a configuration has set.
    var negation: String? {
        guard isSetting, kind == .flag else { return nil }
        return name.utf8.starts(with: "no-".utf8) ? String(name.utf8.dropFirst(3)) : "no-\(name)"
    }
}

/// A column of an option's row that only some options have.
enum OptionColumn {
    case letter(Unicode.Scalar)
    /// The commands that have it, in place of those of its group.
    case only(Set<Subcommand>)
    case also(Set<Subcommand>)
    case help(Subcommand, String)
    /// Configuration files may set it.
    case setting
    /// The reason why a host's block can't contain the option, and a hint.
    case notInHosts(String, hint: String)
    case secret(OptionRow.Secret)
    case weakens(OptionRow.Weakening)
    case roles(Set<OptionRow.Role>)
    /// Whether an upload in pieces has it, unlike the other options of its group.
    case pieces(Bool)
    case curl(OptionRow.CurlEquivalent)
    case notRepeated
    case conflicts([String], String = "")
    case relatives([String])
    case replaces([String])
    case candidates(OptionRow.Candidates)
    case example(String)
    case foreign([String], String)
}
