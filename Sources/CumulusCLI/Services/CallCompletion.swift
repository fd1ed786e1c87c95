// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices

/// Completions after `cumulus call`: services, endpoints, parameters.
struct CallCompletion {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The candidates for the last of the words after `cumulus`; it never fails.
    func candidates(_ words: [String]) -> [String] {
        guard let last = words.last else { return [] }
        let found = all(Array(words.dropLast()), last)
        return found.filter { $0.utf8.starts(with: last.utf8) }.map { PeerText.printable($0) }
    }

    private func all(_ words: [String], _ last: String) -> [String] {
        let lookup = ServiceLookup(surroundings)
        if words.isEmpty { return Subcommand.words }
        let plain = words.dropFirst().filter { $0.utf8.first != UInt8(ascii: "-") }
        switch words[0] {
        case "call": return plain.isEmpty ? lookup.folder?.names ?? [] : call(plain, last, lookup)
        case "services":
            if plain.isEmpty { return ServicesCommand.allCases.map(\.rawValue).sorted() }
            guard ["show", "verify", "remove"].contains(plain[0]) else { return [] }
            if plain.count == 1 { return lookup.folder?.names ?? [] }
            guard plain[0] == "show", plain.count == 2 else { return [] }
            return (try? lookup.service(plain[1]).service.endpoints.map(\.name)) ?? []
        default: return []
        }
    }

    private func call(_ words: [String], _ last: String, _ lookup: ServiceLookup) -> [String] {
        guard let service = try? lookup.service(words[0]).service else { return [] }
        if words.count == 1 { return service.endpoints.map(\.name) }
        guard let endpoint = service[words[1]] else { return [] }
        if last.has(anyOf: "=") {
            let name = last.utf8.prefix { $0 != UInt8(ascii: "=") }.text
            return (endpoint[parameter: name]?.completedValues ?? []).map { "\(name)=\($0)" }
        }
        let given = Set(words.dropFirst(2).map { $0.utf8.prefix { $0 != UInt8(ascii: "=") }.text })
        return endpoint.parameterNames.filter { !given.contains($0) }.map { "\($0)=" }
    }

    /// The script for a shell; `nil` if the shell isn't known.
    static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    // bash splits words at `=` and `:`, so words are split here as well, and only the part after the last one is
    // completed. Names from a description are quoted, so that they remain one word on the line.
    private static let bash = #"""
        _cumulus() {
            local line="${COMP_LINE:0:COMP_POINT}" last cut= name IFS=$' \t\n'
            local -a words
            read -r -a words <<<"$line"
            [ "${line%[[:space:]]}" != "$line" ] && words+=("")
            last="${words[${#words[@]}-1]}"
            case "$last" in *[=:]*) cut="${last%"${last##*[=:]}"}" ;; esac
            COMPREPLY=()
            while IFS= read -r name; do
                [ -n "$name" ] || continue
                name="$(printf %q "${name#"$cut"}")"
                COMPREPLY+=("$name")
                [ "${name%=}" != "$name" ] && compopt -o nospace 2>/dev/null
            done < <("${words[0]}" services candidates -- "${words[@]:1}" 2>/dev/null)
        }
        complete -o default -F _cumulus cumulus
        """#

    private static let zsh = #"""
        _cumulus() {
            local -a found
            found=("${(@f)$("${words[1]}" services candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
            found=("${(@)found:#}")
            compadd -S '' -- "${(@M)found:#*=}"
            compadd -- "${(@)found:#*=}"
        }
        (( $+functions[compdef] )) || { autoload -U compinit && compinit }
        compdef _cumulus cumulus
        """#

    private static let fish = #"""
        function __cumulus_candidates
            set -l words (commandline -opc)
            $words[1] services candidates -- $words[2..-1] (commandline -ct) 2>/dev/null
        end
        complete -c cumulus -a '(__cumulus_candidates)'
        """#
}

extension EndpointParameter {
    /// The allowed values; none if any value is allowed.
    fileprivate var completedValues: [String] {
        if !allowedValues.isEmpty { return allowedValues }
        return kind == .boolean ? ["true", "false"] : []
    }
}
