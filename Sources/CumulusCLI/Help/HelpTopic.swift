// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A topic of `cumulus help TOPIC`.
enum HelpTopic: String, CaseIterable {
    case request
    case items
    case download
    case upload
    case events
    case call
    case services
    case edit
    case login
    case logout
    case cache
    case config
    case trust
    case completions
    case examples
    case exitCodes = "exit-codes"
    case environment

    /// Parses a topic's name.
    init(named name: String) throws(UsageMistake) {
        let word = name.lowercased()
        guard let topic = HelpTopic(rawValue: word) ?? HelpTopic.synonyms[word] else {
            let names = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageMistake("there is no help on \(quoted(name))", hint: "topics: \(names)")
        }
        self = topic
    }

    private static let synonyms: [String: HelpTopic] = [
        "cumulus": .request, "requests": .request, "options": .request, "item": .items, "example": .examples,
        "exit": .exitCodes, "codes": .exitCodes, "exitcodes": .exitCodes, "status": .exitCodes, "env": .environment,
        "variables": .environment,
    ]

    /// Whether the command prints a response, whose headers `-h` selects; elsewhere `-h` is `--help`.
    var printsResponse: Bool { self == .request || self == .upload || self == .call }

    /// The command whose options are listed; `nil` for topics without options.
    var command: (any ParsableCommand.Type)? {
        switch self {
        case .request: CumulusCommand.self
        case .download: DownloadCommand.self
        case .upload: UploadCommand.self
        case .events: EventsCommand.self
        case .call: CallCommand.self
        case .services: ServicesCommand.self
        case .edit: EditCommand.self
        case .login: LoginCommand.self
        case .logout: LogoutCommand.self
        case .cache: CacheCommand.self
        case .config: ConfigCommand.self
        case .trust: TrustCommand.self
        case .completions, .items, .examples, .exitCodes, .environment: nil
        }
    }

    /// The sections before and after the options.
    var sections: (before: [HelpSection], behind: [HelpSection]) {
        switch self {
        case .request: (HelpTexts.request, [HelpTexts.examples, HelpTexts.exitCodes, HelpTexts.environment])
        case .items: ([HelpTexts.items], [])
        case .download: (HelpTexts.download, [HelpTexts.downloadExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .upload: (HelpTexts.upload, [HelpTexts.uploadExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .events: (HelpTexts.events, [HelpTexts.eventsExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .call: (HelpTexts.call, [HelpTexts.callExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .services: (HelpTexts.services, [])
        case .edit: (HelpTexts.edit, [HelpTexts.editExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .login: (HelpTexts.login, [HelpTexts.loginExamples, HelpTexts.exitCodes, HelpTexts.environment])
        case .logout: (HelpTexts.logout, [])
        case .cache: (HelpTexts.cache, [])
        case .config: (HelpTexts.config, [])
        case .trust: (HelpTexts.trust, [])
        case .completions: (HelpTexts.completions, [])
        case .examples: ([HelpTexts.examples, HelpTexts.downloadExamples, HelpTexts.uploadExamples], [])
        case .exitCodes: ([HelpTexts.exitCodes], [])
        case .environment: ([HelpTexts.environment], [])
        }
    }
}
