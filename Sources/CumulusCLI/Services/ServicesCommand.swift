// SPDX-License-Identifier: Apache-2.0

/// The commands of `cumulus services`, for the parser, help, the manual and completion.
enum ServicesCommand: String, CaseIterable {
    case list
    case show
    case verify
    case `import`
    case remove
    case trust
    case completion

    /// The command as a user writes it.
    var usage: String { "cumulus services \(rawValue)\(words.isEmpty ? "" : " \(words)")" }

    private var words: String {
        switch self {
        case .list: ""
        case .show: "NAME [ENDPOINT]"
        case .verify: "NAME|FILE"
        case .import: "FILE|URL"
        case .remove: "NAME"
        case .trust: "FILE"
        case .completion: "SHELL"
        }
    }

    /// The description in help.
    var help: String {
        switch self {
        case .list: "lists your services"
        case .show: "lists a service's endpoints, or shows one with its parameters"
        case .verify: "lists the mistakes in a description, and the parts that were omitted"
        case .import: "adds a service from an OpenAPI document or a description"
        case .remove: "removes a service that you have imported"
        case .trust: "trusts the current contents of a file outside your services folder, for cumulus call"
        case .completion: "prints a script that completes names in bash, zsh or fish"
        }
    }

    /// All commands in one line: `cumulus services list|show|...`.
    static var synopsis: String { "services \(allCases.map(\.rawValue).joined(separator: "|"))" }
}
