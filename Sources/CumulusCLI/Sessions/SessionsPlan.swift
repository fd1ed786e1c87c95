// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A plan of `cumulus sessions`.
struct SessionsPlan: Sendable {
    /// The commands of `cumulus sessions`.
    enum Action: String, CaseIterable, Sendable {
        case list
        case show
        case remove
    }

    /// All commands in one line: `sessions list|show|...`.
    static let synopsis = "sessions \(Action.allCases.map(\.rawValue).joined(separator: "|")) [NAME] [URL]"
    private static let usage = "write cumulus \(synopsis)"

    let action: Action
    /// The sessions to list, show or remove.
    let sessions: [StoredSession]

    /// Interprets the words.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    init(_ arguments: Arguments, in surroundings: Surroundings) throws(UsageMistake) {
        let word = arguments.words.first ?? Action.list.rawValue
        guard let action = Action(rawValue: word) else {
            throw UsageMistake("sessions has no command \(quoted(word))", hint: SessionsPlan.usage)
        }
        self.action = action
        let words = arguments.words.dropFirst()
        let all = StoredSession.all(in: surroundings)
        if action == .list {
            if let word = words.first {
                throw UsageMistake("sessions list takes no arguments, but got \(quotedURL(word))")
            }
            sessions = all
            return
        }
        guard let name = words.first, words.count <= 2 else {
            throw UsageMistake("sessions \(word) takes a name, and optionally a URL", hint: SessionsPlan.usage)
        }
        var origin: Origin?
        if words.count == 2, let url = words.last { origin = try URLShorthand(parsing: url).url.origin }
        let found = all.filter { $0.name == name && (origin == nil || $0.saved.origin == origin) }
        if found.isEmpty { throw SessionsPlan.missing(name, origin, among: all) }
        if action == .remove, found.count > 1 {
            let origins = found.map(\.saved.origin.description)
            throw UsageMistake(
                "the session \(quoted(name)) exists for \(UsageMistake.list(origins, joinedBy: "and"))",
                hint: "write cumulus sessions remove \(name) URL"
            )
        }
        sessions = found
    }

    private static func missing(_ name: String, _ origin: Origin?, among all: [StoredSession]) -> UsageMistake {
        let names = Set(all.map(\.name)).sorted()
        let similar = SimilarName.of(name, among: names)
        return UsageMistake(
            "there is no session \(quoted(name))\(origin.map { " for \($0)" } ?? "")",
            hint: similar.map { "did you mean \($0)?" }
                ?? (names.isEmpty ? nil : "sessions: \(names.joined(separator: ", "))")
        )
    }
}
