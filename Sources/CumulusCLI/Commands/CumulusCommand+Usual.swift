// SPDX-License-Identifier: Apache-2.0

extension CumulusCommand {
    /// The command for words and the options that people use most, each on its own (`-v`, and not `-jv` or `--timeout=5`).
    ///
    /// ArgumentParser would take half of the command's time, most of it with searches for conformances.
    ///
    /// - Returns: `nil` if there is anything else, which ArgumentParser reads, or whose mistakes it explains.
    static func usual(_ arguments: [String]) -> CumulusCommand? {
        var command = bare([])
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.utf8.first != UInt8(ascii: "-") {
                command.words.append(word)
            } else if !command.takeFlag(word) {
                guard let value = rest.popFirst(), let first = value.utf8.first, first != UInt8(ascii: "-"),
                    command.takeOption(word, value)
                else { return nil }
            }
        }
        return command
    }

    private mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--json", "-j": request.json = true
        case "--form", "-f": request.form = true
        case "--compressed": request.compressed = true
        case "--ignore-stdin": request.ignoreStdin = true
        case "--offline": request.offline = true
        case "--curl": request.curl = true
        case "--headers", "-h": output.headers = true
        case "--body", "-b": output.body = true
        case "--meta", "-m": output.meta = true
        case "--verbose", "-v": output.verbose += 1
        case "--quiet", "-q": output.quiet += 1
        case "--all": output.all = true
        case "--sorted": output.sorted = true
        case "--no-pager": output.noPager = true
        case "--no-follow": connection.noFollow = true
        case "--ipv4", "-4": connection.ipv4 = true
        case "--ipv6", "-6": connection.ipv6 = true
        case "--explain": connection.explain = true
        case "--no-config": session.noConfig = true
        default: return false
        }
        return true
    }

    private mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--auth", "-a": authorization.auth = value
        case "--auth-type", "-A": authorization.authType = value
        case "--raw": request.raw = value
        case "--base": request.base = value
        case "--output", "-o": output.output = value
        case "--print", "-p": output.print = value
        case "--filter": output.filter = value
        case "--format", "-w": output.format = value
        case "--session": session.session = value
        case "--profile": session.profile = value
        case "--verify": connection.verify = value
        case "--timeout":
            guard let seconds = Double(value) else { return false }
            connection.timeout = seconds
        case "--max-time":
            guard let seconds = Double(value) else { return false }
            connection.maxTime = seconds
        default: return false
        }
        return true
    }
}
