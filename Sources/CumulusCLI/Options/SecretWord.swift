// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A password, token or key on the command line: itself, `env:NAME`, `@FILE`, or escaped with a backslash.
struct SecretWord {
    /// The option that the word belongs to, for messages.
    private let option: String
    /// Whether the word is a trusted folder's file's, which reaches files of that folder only.
    private let isOfFolder: Bool
    private let surroundings: Surroundings

    init(
        of path: KeyPath<OptionTable, Option<String?>>,
        _ arguments: Arguments,
        in surroundings: Surroundings
    ) {
        option = "--\(OptionTable.all[keyPath: path].name)"
        isOfFolder = arguments.isOfFolder(path)
        self.surroundings = surroundings
    }

    /// Whether a word is only a reference to the secret.
    static func isElsewhere(_ word: String) -> Bool {
        ["@", "env:"].contains { word.begins(with: $0) && word.utf8.count > $0.utf8.count }
    }

    /// The secret that the word stands for; no message quotes more than a variable's or a file's name.
    func secret(_ word: String) throws(UsageMistake) -> Secret<String> {
        switch word.utf8.first {
        case UInt8(ascii: "\\"): return Secret(word.utf8.dropFirst().text)
        case UInt8(ascii: "@"): return Secret(try contents(of: word.utf8.dropFirst().text))
        default: break
        }
        guard word.utf8.starts(with: "env:".utf8) else { return Secret(word) }
        let name = word.utf8.dropFirst(4).text
        guard let value = surroundings.variable(name) else {
            throw UsageMistake(
                "the variable \(quoted(name)) in \(option) is not set",
                hint: "for text that begins with env: or @, write a backslash before it",
                about: option
            )
        }
        return Secret(value)
    }

    /// A file's text without the line break at its end.
    private func contents(of path: String) throws(UsageMistake) -> String {
        let bytes: [UInt8]
        do {
            bytes =
                isOfFolder
                ? try surroundings.readFile.bytes(path, below: surroundings.workingFolder ?? ".", upTo: .secret)
                : try surroundings.readFile.bytes(path, upTo: .secret)
        } catch {
            if isOfFolder {
                throw UsageMistake(
                    "the file \(quoted(path)) in \(option) is not used: \(error)",
                    hint: "a folder's configuration can use only regular files in that folder, not symbolic links",
                    about: option
                )
            }
            throw UsageMistake(
                "the file \(quoted(path)) in \(option) can't be read: \(error)",
                hint: "for text that begins with env: or @, write a backslash before it",
                about: option
            )
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw UsageMistake("the file \(quoted(path)) in \(option) is not valid UTF-8", about: option)
        }
        if text.utf8.last == 0x0A { text = text.utf8.dropLast().text }
        if text.utf8.last == 0x0D { text = text.utf8.dropLast().text }
        return text
    }
}
