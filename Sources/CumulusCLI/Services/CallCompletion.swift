// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What may come next behind `cumulus call`: services, endpoints, parameters.
struct CallCompletion {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The candidates for the last of the words behind `cumulus`; nothing is ever wrong here.
    func candidates(_ words: [String]) -> [String] {
        guard let last = words.last else { return [] }
        let found = all(Array(words.dropLast()))
        return found.filter { $0.utf8.starts(with: last.utf8) }.map { PeerText.printable($0) }
    }

    private func all(_ words: [String]) -> [String] {
        let lookup = ServiceLookup(surroundings)
        if words.isEmpty { return SimilarName.commands }
        let plain = words.dropFirst().filter { $0.utf8.first != UInt8(ascii: "-") }
        switch words[0] {
        case "call": return plain.isEmpty ? lookup.folder?.names ?? [] : call(plain, lookup)
        case "services":
            if plain.isEmpty { return ["completion", "import", "list", "show", "trust", "verify"] }
            guard plain[0] == "show" || plain[0] == "verify" else { return [] }
            if plain.count == 1 { return lookup.folder?.names ?? [] }
            guard plain[0] == "show", plain.count == 2 else { return [] }
            return (try? lookup.service(plain[1]).service.endpoints.map(\.name)) ?? []
        default: return []
        }
    }

    private func call(_ words: [String], _ lookup: ServiceLookup) -> [String] {
        guard let service = try? lookup.service(words[0]).service else { return [] }
        if words.count == 1 { return service.endpoints.map(\.name) }
        guard let endpoint = service[words[1]] else { return [] }
        let given = Set(words.dropFirst(2).map { $0.utf8.prefix { $0 != UInt8(ascii: "=") }.text })
        return endpoint.parameterNames.filter { !given.contains($0) }.map { "\($0)=" }
    }

    /// What a shell reads; `nil` for a shell that isn't known.
    static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": "autoload -U +X bashcompinit && bashcompinit\n\(bash)"
        default: nil
        }
    }

    // Words are split at blanks alone here: bash would also split them at `=` and `:`.
    private static let bash = #"""
        _cumulus() {
            local line="${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n'
            local -a words=($line)
            [ "${line%[[:space:]]}" != "$line" ] && words+=("")
            IFS=$'\n'
            COMPREPLY=($("${words[0]}" services candidates -- "${words[@]:1}" 2>/dev/null))
            [ ${#COMPREPLY[@]} -gt 0 ] && [ "${COMPREPLY[0]%=}" != "${COMPREPLY[0]}" ] && compopt -o nospace 2>/dev/null
        }
        complete -o default -F _cumulus cumulus
        """#
}
