// SPDX-License-Identifier: Apache-2.0

/// A command line completed by a configuration; its own options always take precedence.
///
/// A class because code that copies a whole command line is large.
final class ConfiguredCommand {
    private(set) var command: CumulusCommand
    private let given: CumulusCommand
    /// The settings that were applied.
    private(set) var applied: [ConfigurationSetting] = []

    init(_ command: CumulusCommand) {
        self.command = command
        given = command
    }

    /// Applies a setting, unless the command line or a setting with a higher precedence has decided about it.
    func apply(_ setting: ConfigurationSetting) throws(UsageMistake) {
        guard !isDecided(setting.name) else { return }
        if setting.value.content != .boolean(false), let other = applied.first(where: { $0.excludes(setting) }) {
            guard other.file == setting.file, other.block == setting.block else { return }
            throw setting.mistake("\(setting.name) and \(other.name) can't be combined")
        }
        applied.append(setting)
        switch setting.value.content {
        case .boolean(let isOn):
            if setting.name == "verify" {
                command.connection.verify = isOn ? "yes" : "no"
            } else if isOn {
                setFlag(setting.name)
            }
        case .string(let text):
            if ConfigurationKey.kinds[setting.name] == .list {
                setList(setting.name, [text])
            } else {
                try setText(setting, text)
            }
        case .integer(let number): setNumber(setting.name, Double(number))
        case .float(let number): setNumber(setting.name, number)
        case .array(let elements):
            setList(setting.name, elements.compactMap { if case .string(let text) = $0.content { text } else { nil } })
        case .date, .table: break
        }
    }

    /// Whether the command line has the option, or one that excludes it.
    private func isDecided(_ name: String) -> Bool {
        let (connection, output, request) = (given.connection, given.output, given.request)
        return switch name {
        case "timeout": connection.timeout != nil
        case "max-time": connection.maxTime != nil
        case "max-redirects", "no-follow": connection.maxRedirects != nil || connection.noFollow
        case "verify": connection.verify != nil
        case "cert", "cert-key": connection.cert != nil || connection.certKey != nil
        case "pin": !connection.pin.isEmpty
        case "tls-min": connection.tlsMin != nil
        case "ipv4", "ipv6": connection.ipv4 || connection.ipv6
        case "unix-socket": connection.unixSocket != nil
        case "resolve": !connection.resolve.isEmpty
        case "proxy", "proxy-user": connection.proxy != nil || connection.proxyUser != nil
        case "noproxy": connection.noproxy != nil
        case "allow-address": !connection.allowAddress.isEmpty
        case "http-version": connection.httpVersion != nil
        case "retry": connection.retry != nil
        case "retry-max-time": connection.retryMaxTime != nil
        case "auth", "auth-type": given.authorization.auth != nil || given.authorization.authType != nil
        case "netrc", "ignore-netrc": given.authorization.netrcUse != nil
        case "cookies", "session", "session-read-only":
            given.session.cookies != nil || given.session.session != nil || given.session.sessionReadOnly != nil
        case "base": request.base != nil
        case "form": request.form || request.json || request.multipart || request.raw != nil
        case "print": output.print != nil || output.headers || output.body || output.meta || output.verbose > 0
        case "pretty": output.pretty != nil
        case "style": output.style != nil
        case "as": output.form != nil
        case "indent": output.indent != nil
        default: false
        }
    }

    private func setFlag(_ name: String) {
        switch name {
        case "no-follow": command.connection.noFollow = true
        case "ipv4": command.connection.ipv4 = true
        case "ipv6": command.connection.ipv6 = true
        case "public-only": command.connection.publicOnly = true
        case "idempotency-key": command.connection.idempotencyKey = true
        case "explain": command.connection.explain = true
        case "netrc": command.authorization.netrcUse = .netrc
        case "ignore-netrc": command.authorization.netrcUse = .ignoreNetrc
        case "show-secrets": command.authorization.showSecrets = true
        case "compressed": command.request.compressed = true
        case "form": command.request.form = true
        case "ignore-stdin": command.request.ignoreStdin = true
        case "sorted": command.output.sorted = true
        case "no-pager": command.output.noPager = true
        case "image": command.output.image = true
        case "all": command.output.all = true
        default: break
        }
    }

    private func setNumber(_ name: String, _ number: Double) {
        // No option takes such a large integer; unreasonable values are refused by the option.
        let whole = Int(exactly: number.rounded()) ?? -1
        switch name {
        case "timeout": command.connection.timeout = number
        case "max-time": command.connection.maxTime = number
        case "retry-max-time": command.connection.retryMaxTime = number
        case "max-redirects": command.connection.maxRedirects = whole
        case "retry": command.connection.retry = whole
        case "indent": command.output.indent = whole
        default: break
        }
    }

    private func setList(_ name: String, _ texts: [String]) {
        switch name {
        case "pin": command.connection.pin = texts
        case "resolve": command.connection.resolve = texts
        case "allow-address": command.connection.allowAddress = texts
        default: break
        }
    }

    private func setText(_ setting: ConfigurationSetting, _ text: String) throws(UsageMistake) {
        switch setting.name {
        case "verify": command.connection.verify = text
        case "cert": command.connection.cert = text
        case "cert-key": command.connection.certKey = text
        case "tls-min": command.connection.tlsMin = text
        case "unix-socket": command.connection.unixSocket = text
        case "proxy": command.connection.proxy = text
        case "noproxy": command.connection.noproxy = text
        case "proxy-user": command.connection.proxyUser = text
        case "http-version": command.connection.httpVersion = text
        case "auth": command.authorization.auth = text
        case "auth-type": command.authorization.authType = text
        case "cookies": command.session.cookies = text
        case "session": command.session.session = text
        case "session-read-only": command.session.sessionReadOnly = text
        case "base": command.request.base = text
        case "print": command.output.print = text
        case "pretty": command.output.pretty = try ConfiguredCommand.choice(setting, text)
        case "style": command.output.style = try ConfiguredCommand.choice(setting, text)
        case "as": command.output.form = try ConfiguredCommand.choice(setting, text)
        default: break
        }
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ setting: ConfigurationSetting,
        _ text: String
    ) throws(UsageMistake) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw setting.mistake("\(setting.name) knows no \(quoted(text))", hint: "it takes \(names)")
    }
}
