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
        /// Files after an @.
        case secrets
    }

    /// A place of a configuration file.
    enum Place: Hashable, Sendable {
        case defaults
        case profile
        case host
        /// Any block of a trusted folder's file.
        case folder
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
    /// The places of a configuration where it may not be, with the reason and a hint.
    private(set) var refusals: [Place: (reason: String, hint: String)] = [:]
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
        case .refusedIn(let place, let reason, let hint): refusals[place] = (reason, hint)
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
    case refusedIn(OptionRow.Place, String, hint: String)
    case curl(OptionRow.CurlEquivalent)
    case notRepeated
    case conflicts([String], String = "")
    case relatives([String])
    case replaces([String])
    case candidates(OptionRow.Candidates)
    case example(String)
    case foreign([String], String)
}
