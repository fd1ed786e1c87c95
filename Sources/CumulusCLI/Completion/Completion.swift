// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Completes the last word of a command line.
struct Completion {
    /// A completion of a word, with its description.
    struct Candidate: Equatable {
        let word: String
        var text = ""
    }

    /// More files than this are of no help.
    private static let mostFiles = 500
    /// A path is seldom longer.
    private static let longest = 4_096

    private let words: ArraySlice<String>
    private let word: String
    private let command: Subcommand
    private let surroundings: Surroundings

    /// Takes the words after the command's name; the last one is completed, and may be empty.
    init(_ words: [String], in surroundings: Surroundings) {
        word = words.last ?? ""
        self.words = words.dropLast()
        self.surroundings = surroundings
        command = words.count > 1 ? Subcommand(word: words[0]) ?? .request : .request
    }

    /// The candidates, one per line, with a tab before the description.
    var lines: String {
        // A name may contain a line end, or something else that a terminal acts on.
        candidates.map { candidate in
            let word = PeerText.printable(candidate.word, limit: Completion.longest)
            return candidate.text.isEmpty ? word : "\(word)\t\(PeerText.printable(candidate.text))"
        }.joined(separator: "\n")
    }

    var candidates: [Candidate] { all.filter { $0.word.begins(with: word) && $0.word != word } }

    private var all: [Candidate] {
        let isBehindDashes = words.contains { $0.utf8.elementsEqual("--".utf8) }
        if !isBehindDashes, let option = words.last.flatMap(valueOption) { return values(of: option, word) }
        if !isBehindDashes, word.begins(with: "--"), let (name, value) = word.split(at: "=") {
            guard let option = valueOption(name) else { return [] }
            return values(of: option, value).map { Candidate(word: "\(name)=\($0.word)", text: $0.text) }
        }
        if !isBehindDashes, word.begins(with: "-") { return options }
        switch words.first {
        case "services" where plainWords.elementsEqual(["services", "import"]): return files(word)
        case "call", "services":
            let found = CallCompletion(surroundings).candidates(words + [word]).map { Candidate(word: $0) }
            return words.count > 2 && word.has(anyOf: "@") ? found + items : found
        case "help": return HelpTopic.names.map { Candidate(word: $0) }
        case "completions": return (CompletionScript.allCases.map(\.rawValue) + ["man"]).map { Candidate(word: $0) }
        case "sessions":
            let actions = SessionsPlan.Action.allCases.map(\.rawValue)
            let names = plainWords.count == 1 ? actions : plainWords.count == 2 ? sessionNames : []
            return names.isEmpty ? hosts : names.map { Candidate(word: $0) }
        case "cache": return plainWords.count == 1 ? ["list", "show", "clear"].map { Candidate(word: $0) } : hosts
        case "config": return plainWords.count == 1 ? ["show", "path"].map { Candidate(word: $0) } : hosts
        case "upload" where plainWords.count == 1: return files(word)
        default: break
        }
        return items + (hasURL ? [] : places)
    }

    /// The words that are neither options nor their values.
    private var plainWords: [String] {
        var plain: [String] = []
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if word.begins(with: "-") {
                isValue = valueOption(word) != nil
            } else {
                plain.append(word)
            }
        }
        return plain
    }

    /// Whether an earlier word is the URL.
    private var hasURL: Bool {
        var plain = plainWords[...]
        if let first = plain.first, Subcommand.words.contains(first) || MethodName.isKnown(first) {
            plain = plain.dropFirst()
        }
        if command == .events, let method = plain.first, MethodName.isKnown(method) { plain = plain.dropFirst() }
        return command == .upload ? plain.count > 1 : !plain.isEmpty
    }

    /// The words that may come before items: commands, methods, hosts.
    private var places: [Candidate] {
        guard plainWords.isEmpty else { return hosts }
        let commands = Subcommand.words.map { Candidate(word: $0, text: "command") }
        let methods = ["get", "post", "put", "patch", "delete", "head", "options"]
        // In capitals if the word began in capitals.
        let isUpper = word.utf8.first.map { 0x41...0x5A ~= $0 } ?? false
        return commands + methods.map { Candidate(word: isUpper ? $0.uppercased() : $0, text: "method") } + hosts
    }

    private var options: [Candidate] {
        let rows = OptionTable.rows.filter { $0.commands.contains(command) }
        let negations = rows.compactMap { row in
            row.negation.map { Candidate(word: "--\($0)", text: "Turn off --\(row.name) if a configuration sets it.") }
        }
        return rows.map { Candidate(word: "--\($0.name)", text: $0.help(in: command)) } + negations
            + [Candidate(word: "--help", text: "Show help.")]
    }

    /// The option of a word, if it takes its value from the next one.
    private func valueOption(_ word: String) -> OptionRow? {
        ArgumentParser.option(word, in: command).flatMap { $0.takesValue ? $0 : nil }
    }

    private var sessionNames: [String] { Set(StoredSession.all(in: surroundings).map(\.name)).sorted() }

    private func values(of option: OptionRow, _ word: String) -> [Candidate] {
        func plain(_ names: [String]) -> [Candidate] { names.map { Candidate(word: $0) } }
        switch option.candidates {
        case .none: return []
        case .values(let values): return plain(values)
        case .files: return files(word)
        case .valuesAndFiles(let values): return plain(values) + files(word)
        case .sessions: return plain(sessionNames) + files(word)
        case .profiles:
            let files = (try? ConfigurationLookup(surroundings).configuration())?.files ?? []
            return plain(Set(files.flatMap { $0.profiles.map(\.name) }).sorted())
        case .secrets: return word.begins(with: "@") ? behind("@", files(String(word.dropFirst()))) : []
        }
    }

    /// Header fields, and files after an @.
    private var items: [Candidate] {
        if let place = word.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let prefix = String(word[...place])
            return behind(prefix, files(String(word[word.index(after: place)...])))
        }
        guard hasURL, !word.isEmpty else { return [] }
        if let (name, _) = word.split(at: ":") {
            let known = HeaderVocabulary.values.first { $0.name.lowercased() == name.lowercased() }
            return (known?.values ?? []).map { Candidate(word: "\(name):\($0)") }
        }
        // In the case of the beginning: names are case-insensitive, but a shell compares letters.
        return HeaderVocabulary.values.filter { $0.name.lowercased().begins(with: word.lowercased()) }.map {
            Candidate(word: word + $0.name.dropFirst(word.count) + ":", text: "header")
        }
    }

    private func behind(_ prefix: String, _ candidates: [Candidate]) -> [Candidate] {
        candidates.map { Candidate(word: prefix + $0.word, text: $0.text) }
    }

    /// The files that a path may lead to; a folder ends with a slash.
    private func files(_ path: String) -> [Candidate] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[...$0]) } ?? ""
        let start = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let place = folder.isEmpty ? "." : surroundings.readFile.expanded(folder)
        let names = ((try? surroundings.readFolder(place)) ?? []).filter { name in
            name.begins(with: start) && (start.begins(with: ".") || !name.begins(with: "."))
        }
        return names.sorted().prefix(Completion.mostFiles).map { name in
            let isFolder = (try? surroundings.readFolder("\(place)/\(name)")) != nil
            return Candidate(word: folder + name + (isFolder ? "/" : ""))
        }
    }

    /// The hosts with sessions or logins, or in the configuration: there is no other record.
    private var hosts: [Candidate] {
        var found: [String] = []
        if let folder = StateFolder(surroundings.environment)?.path {
            for name in ((try? surroundings.readFolder("\(folder)/sessions")) ?? [])
                + ((try? surroundings.readFolder("\(folder)/logins")) ?? [])
            {
                let parts = name.parts(at: "_")
                guard parts.count == 3, let port = Int(parts[2].parts(at: ".")[0]) else { continue }
                let isUsual = port == (parts[0] == "https" ? 443 : 80)
                found.append(isUsual ? "\(parts[0])://\(parts[1])/" : "\(parts[0])://\(parts[1]):\(port)/")
            }
        }
        let files = (try? ConfigurationLookup(surroundings).configuration())?.files ?? []
        found += files.flatMap { $0.hosts.compactMap(\.pattern.name) }
        return Set(found).sorted().map { Candidate(word: $0, text: "host") }
    }
}
