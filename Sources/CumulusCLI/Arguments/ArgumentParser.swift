// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Parses the arguments of one command by the table of options.
struct ArgumentParser {
    private let command: Subcommand
    private var arguments: Arguments
    private var rest: ArraySlice<String>

    private init(_ given: [String], for command: Subcommand) {
        self.command = command
        arguments = Arguments(command)
        rest = given[...]
    }

    /// The arguments of a command line without the command's own word.
    ///
    /// - Throws: ``UsageMistake``, which quotes no value that may be a secret.
    static func parse(_ given: [String], for command: Subcommand) throws(UsageMistake) -> Arguments {
        var parser = ArgumentParser(given, for: command)
        while let word = parser.rest.popFirst() { try parser.take(word) }
        try parser.refuseConflicts()
        return parser.arguments
    }

    /// The option of a command with a spelling such as `--auth` or `-a`.
    static func option(_ spelling: some StringProtocol, in command: Subcommand) -> OptionRow? {
        OptionTable.rows.first { row in
            row.commands.contains(command) && row.spellings.contains { $0.utf8.elementsEqual(spelling.utf8) }
        }
    }

    private mutating func take(_ word: String) throws(UsageMistake) {
        let bytes = word.utf8
        guard bytes.first == UInt8(ascii: "-"), bytes.count > 1 else {
            try refuseTypographicDash(of: word)
            return arguments.words.append(word)
        }
        if word == "--" {
            arguments.words += rest
            rest = []
        } else if word.begins(with: "--") {
            try takeLong(word)
        } else {
            try takeLetters(word)
        }
    }

    /// Refuses an option whose dashes a text program has replaced; it would be taken for a URL.
    private func refuseTypographicDash(of word: String) throws(UsageMistake) {
        let scalars = word.unicodeScalars
        guard let first = scalars.first, first != "-", first.properties.isDash else { return }
        let name = String(scalars.drop(while: \.properties.isDash).prefix { $0 != "=" })
        let spelling = ["--\(name)", "-\(name)"].first { spelling in
            ArgumentParser.option(spelling, in: command) != nil || negated(spelling) != nil
        }
        // Other words may be names of files, or texts.
        guard spelling != nil || !RequestItem.isItem(word) && !word.has(anyOf: " ", ".", "/") else { return }
        throw UsageMistake("an option begins with a typographic dash", hint: "write \(spelling ?? "- or -- instead")")
    }

    /// Takes `--name`, `--name=value` or `--name value`.
    private mutating func takeLong(_ word: String) throws(UsageMistake) {
        let (name, joined) = word.split(at: "=").map { ($0.before, Optional($0.behind)) } ?? (word, nil)
        guard let option = ArgumentParser.option(name, in: command) else {
            if joined == nil, let option = negated(name) { return arguments.put(option, .flag(false)) }
            try refuseJoinedSecret(name)
            let bare = ArgumentParser.bare(name)
            if bare != name, let option = ArgumentParser.option(bare, in: command) {
                throw UsageMistake(
                    "unexpected text after '\(bare)'" + (option.takesValue ? "; only = and a value can follow" : ""),
                    hint: option.takesValue ? OptionHint.example(of: option, spelled: bare) : "write \(bare)"
                )
            }
            throw OptionHint.unknown(bare, in: command)
        }
        if let joined { return arguments.put(option, try option.value(joined)) }
        try take(option, spelled: name)
    }

    /// Refuses `--auth-PASSWORD`, of which nothing after the option's name is quoted.
    private func refuseJoinedSecret(_ name: String) throws(UsageMistake) {
        let rows = OptionTable.rows.filter { $0.commands.contains(command) }
        guard let option = rows.first(where: { $0.hasWholeSecret && name.begins(with: "--\($0.name)") }),
            !OptionHint.isForeign(name), SimilarName.of(name.utf8.dropFirst(2).text, among: rows.map(\.name)) == nil
        else { return }
        throw UsageMistake(
            "unexpected text after '--\(option.name)'; only = and a value can follow",
            hint: OptionHint.example(of: option, spelled: "--\(option.name)")
        )
    }

    /// The part of an unknown option that can be its name: what follows may be a secret, as in `--auth:PASSWORD`.
    static func bare(_ name: String) -> String {
        name.utf8.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
                true
            default: false
            }
        }.text
    }

    /// Takes the letters of `-jv`, of which the last may have a value: `-a USER`, `-aUSER`, `-a=USER`.
    private mutating func takeLetters(_ word: String) throws(UsageMistake) {
        // Not the value after it, which may be a secret.
        let bare = ArgumentParser.bare(word)
        let name = "-\(bare.before("."))"
        let isOption = name == "--help" || ArgumentParser.option(name, in: command) != nil || negated(name) != nil
        if name.utf8.count > 4, isOption {
            // Otherwise `-output x` would be `-o` with a file name.
            throw UsageMistake("the option \(name) needs two dashes", hint: "write \(name)")
        }
        if word.utf8.count > 2, OptionHint.isForeign(word) { throw OptionHint.unknown(word, in: command) }
        if name.utf8.count > 4, OptionHint.isForeign(name) { throw OptionHint.unknown(name, in: command) }
        try refuseMisspelledName("-\(bare)")
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = ArgumentParser.option("-\(letter)", in: command) else {
                throw OptionHint.unknown("-\(letter)", in: command)
            }
            if option.takesValue, !letters.isEmpty {
                let value = letters.first?.value == 0x3D ? letters.dropFirst() : letters
                return arguments.put(option, try option.value(String(String.UnicodeScalarView(value))))
            }
            try take(option, spelled: "-\(letter)")
        }
    }

    /// Refuses `-outfile`, which would be `-o` with the file name `utfile`.
    private func refuseMisspelledName(_ name: String) throws(UsageMistake) {
        let word = name.utf8.dropFirst(2)
        guard word.count > 3, let similar = similarName(word) else { return }
        let letter = word.prefix(1).text
        let option = ArgumentParser.option("-\(letter)", in: command)
        // A joined secret.
        if option?.secret != nil { return }
        guard option?.takesValue == true else {
            throw UsageMistake("unknown option '-\(word.text)'", hint: "did you mean --\(similar)?")
        }
        throw UsageMistake(
            "'-\(word.text)' has only one dash, so it means the option -\(letter) with a value",
            hint: "did you mean --\(similar)? Otherwise write -\(letter)=VALUE"
        )
    }

    /// The long option that a word was probably meant as: one that begins with the same three letters, if the word has
    /// only letters and dashes, or one that begins with the same two and differs by one letter; `nil` if none does.
    private func similarName(_ word: Substring.UTF8View) -> String? {
        let names = OptionTable.rows.filter { $0.commands.contains(command) && $0.name.utf8.count > 3 }.map(\.name)
        let isName = word.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
        let alike = names.filter { name in
            isName && name.utf8.prefix(3).elementsEqual(word.prefix(3))
                || name.utf8.prefix(2).elementsEqual(word.prefix(2)) && SimilarName.distance(word.text, name) == 1
        }
        return alike.min { SimilarName.distance(word.text, $0) < SimilarName.distance(word.text, $1) }
    }

    /// Takes an option whose value, if it has one, is the next word.
    private mutating func take(_ option: OptionRow, spelled name: String) throws(UsageMistake) {
        switch option.kind {
        case .flag: arguments.put(option, .flag(true))
        case .count: arguments.put(option, .count(1))
        default:
            guard let word = rest.first, ArgumentParser.isValue(word) else {
                throw UsageMistake(
                    "missing value for '\(name) <\(option.valueName ?? "")>'",
                    hint: rest.isEmpty ? OptionHint.example(of: option, spelled: name) : OptionHint.joined(option)
                )
            }
            arguments.put(option, try option.value(word))
            rest = rest.dropFirst()
        }
    }

    /// The flag that a name turns off, although a configuration may have set it: `--no-sorted`, `--follow`.
    private func negated(_ name: String) -> OptionRow? {
        OptionTable.rows.first { row in
            row.commands.contains(command) && row.negation.map { "--\($0)" == name } ?? false
        }
    }

    /// Whether a word is a value: it doesn't begin like an option, is a lone dash, or is a negative number.
    private static func isValue(_ word: String) -> Bool {
        let bytes = word.utf8
        guard bytes.first == UInt8(ascii: "-"), bytes.count > 1 else { return true }
        let digits = bytes.dropFirst()
        guard let first = digits.first, isOfNumber(first) else { return false }
        // -4 and -6 are options, alone or with other letters.
        if first != UInt8(ascii: "4"), first != UInt8(ascii: "6") { return true }
        return digits.dropFirst().first.map(isOfNumber) ?? false
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
    }

    private func refuseConflicts() throws(UsageMistake) {
        let given = arguments.given.filter { $0.value != .flag(false) }
        for argument in given {
            for other in given {
                guard let reason = argument.option.conflicts[other.option.name] else { continue }
                throw UsageMistake(
                    "--\(argument.option.name) and --\(other.option.name) can't be combined"
                        + (reason.isEmpty ? "" : ": \(reason)")
                )
            }
        }
    }
}
