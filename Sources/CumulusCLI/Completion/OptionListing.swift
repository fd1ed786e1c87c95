// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CumulusCore
import CumulusPrimitives

/// The options of a command as its grammar lists them, for the manual and completion.
struct OptionListing {
    struct Option: Equatable {
        /// The names with their dashes.
        let names: [String]
        /// The option's value, without brackets; `nil` for a flag.
        let value: String?
        let text: String
    }

    struct Group: Equatable {
        let title: String
        var options: [Option]
    }

    private(set) var groups: [Group] = []

    var options: [Option] { groups.flatMap(\.options) }

    init(_ command: any ParsableCommand.Type) {
        // Wide enough for each option's text on one line.
        let lines = command.helpMessage(columns: 1_000).parts(at: "\n")
        for line in lines {
            let indent = line.utf8.prefix { $0 == 0x20 }.count
            if indent == 0, line.ends(with: ":"), !line.has(": ") {
                groups.append(Group(title: String(line.dropLast()), options: []))
            } else if indent == 2, !groups.isEmpty {
                guard let option = OptionListing.option(String(line.dropFirst(2))) else { continue }
                groups[groups.count - 1].options.append(option)
            } else if indent > 2, let group = groups.indices.last, let last = groups[group].options.popLast() {
                // If a name is too long for its column, its text is on the next line.
                let text = line.parts(at: " ").filter { !$0.isEmpty }.joined(separator: " ")
                let whole = last.text.isEmpty ? text : "\(last.text) \(text)"
                groups[group].options.append(Option(names: last.names, value: last.value, text: whole))
            }
        }
        groups.removeAll(where: \.options.isEmpty)
    }

    /// Parses a line of the listing, `-a, --auth <user:pass>   Credentials.`.
    private static func option(_ line: String) -> Option? {
        let (blank, comma, slash) = (UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "/"))
        var names: [String] = []
        var value: String?
        var rest = line.utf8[...]
        while rest.first == UInt8(ascii: "-") {
            let name = rest.prefix { $0 != blank && $0 != comma && $0 != slash }
            names.append(name.text)
            rest = rest.dropFirst(name.count)
            if rest.starts(with: ", ".utf8) || rest.starts(with: "/--".utf8) {
                rest = rest.drop { $0 == comma || $0 == blank || $0 == slash }
            } else if rest.starts(with: " <".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                value = rest[..<end].dropFirst(2).text
                rest = rest[end...].dropFirst()
            } else {
                break
            }
        }
        return names.isEmpty ? nil : Option(names: names, value: value, text: rest.drop { $0 == blank }.text)
    }
}
