// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives

/// Decides which credentials of a configuration go with a request.
struct ConfiguredCredentials {
    private let configuration: Configuration

    init(of configuration: Configuration) { self.configuration = configuration }

    /// The block without the credentials that the command line replaces.
    ///
    /// - Parameters:
    ///   - block: The effective block.
    ///   - options: The command line's options.
    ///   - items: The header fields that items set or mask.
    ///   - hasUser: Whether the URL has a user.
    /// - Returns: The block.
    func block(
        _ block: ConfigurationFile.Block,
        besides options: Arguments,
        items: Set<Headers.Name>,
        hasUser: Bool
    ) -> ConfigurationFile.Block {
        var block = block
        func text(_ name: String) -> String? {
            guard case .string(let text)? = block.settings.first(where: { $0.name == name })?.value.content else {
                return nil
            }
            return text
        }
        let auth = text("auth")
        let configured = IdentityParser.field(auth: auth, type: text("auth-type"))
        let isReplaced = hasUser && auth != nil || configured.map(items.contains) ?? false
        if isReplaced { block.settings.removeAll { $0.name == "auth" || $0.name == "auth-type" } }
        let own = hasUser ? .authorization : IdentityParser.field(auth: options.auth, type: options.authType)
        if let own { block.headers.removeAll { Headers.Name($0.name) == own } }
        return block
    }

    /// Refuses credentials of a file where a file with a higher precedence decides where they go.
    ///
    /// - Throws: ``UsageMistake`` with both places.
    func refuseMixed(_ applied: [ConfigurationSetting], headers: [ConfigurationSetting]) throws(UsageMistake) {
        for secret in (applied + headers).filter({ $0.isCredential || $0.isProxyUser }) {
            let decider = applied.first { setting in
                guard rank(of: setting) < rank(of: secret) else { return false }
                if secret.isProxyUser { return setting.name == "proxy" }
                return setting.option?.roles.contains(.directing) == true
                    && (setting.name != "auth-type" || !secret.isHeader)
            }
            guard let decider else { continue }
            throw secret.mistake(
                "\(quoted(secret.name)) is not sent, because its destination is set in another file: "
                    + "\(decider.place) sets \(quoted(decider.name))",
                hint: decider.name == "base"
                    ? "write a complete URL, which doesn't use the base"
                    : "write --\(decider.name) or -a on the command line, or --no-config"
            )
        }
    }

    /// Refuses what is the user's where the folder's file decides the way, and others there could read it; and a netrc
    /// file's `default` entry where the folder's file names the host.
    ///
    /// - Parameters:
    ///   - plan: The completed plan.
    ///   - applied: The applied settings of the folder's file, also its `base` if the URL is below it.
    ///   - typed: What the identity is if neither a store nor the folder's file has it, in words.
    /// - Throws: ``UsageMistake`` with the place of the setting.
    func refuseStored(_ plan: Plan, _ applied: [ConfigurationSetting], typed: String?) throws(UsageMistake) {
        let origin = plan.target.origin
        if plan.identityIsForAnyHost, let base = applied.first(where: { $0.name == "base" }) {
            throw base.mistake(
                "base determines the host, so \(origin) would receive the credentials in the netrc file's default entry",
                hint: "write --ignore-netrc, or add a machine entry for \(origin.host) to the netrc file"
            )
        }
        guard let store = ConfiguredCredentials.store(of: plan, besides: applied, typed: typed) else { return }
        guard origin.scheme == .http || applied.contains(where: { $0.name == "verify" && $0.choosesTrust }) else {
            return
        }
        let decider = applied.first { setting in
            switch setting.name {
            case "proxy": (try? plan.proxy.proxy(for: origin)) != nil
            case "resolve":
                [origin.host, "\(origin.host):\(origin.port)"].contains { plan.route.addresses[$0] != nil }
            case "unix-socket": true
            default: false
            }
        }
        guard let decider else { return }
        throw decider.mistake(
            "\(decider.name) determines the route to \(origin), and others on that route could read \(store)",
            hint: "write --\(decider.name) on the command line, or --no-config"
        )
    }

    /// What only the user's own choices may send, in words; `nil` if the request has nothing of it.
    ///
    /// This list is the only one: whatever the command line names, and the command keeps or finds for the user, belongs
    /// here.
    ///
    /// - Parameters:
    ///   - plan: The completed plan.
    ///   - applied: The applied settings of the folder's file, whose own credentials and cookies are not the user's.
    ///   - typed: What the identity is if neither a store nor the folder's file has it.
    /// - Returns: The first of them.
    private static func store(
        of plan: Plan,
        besides applied: [ConfigurationSetting],
        typed: String?
    ) -> String? {
        // A login, a session's credentials, a netrc entry.
        if let store = plan.identityStore { return store }
        // A new one, too: it remembers what this request sends.
        if plan.session != nil { return "the session" }
        switch plan.identity {
        case .aws(let identity)?: if identity.isStored { return "the session token of the AWS keys" }
        case .some: if let typed { return typed }
        case nil: break
        }
        let names = plan.headerNames.subtracting([Headers.Name("Idempotency-Key")]).map(\.text).sorted()
        let header = names.first { name in
            (plan.headers.values(of: Headers.Name(name)) ?? []).contains { SecretRedaction.value($0, of: name) != $0 }
        }
        if let header { return "the header \(quoted(header))" }
        guard let file = plan.cookieFile else { return nil }
        let isOfFolder = applied.contains { $0.name == "cookies" } && !FileReader.isElsewhere(file.path)
        return isOfFolder ? nil : "the cookie file"
    }

    private func rank(of setting: ConfigurationSetting) -> Int {
        configuration.files.firstIndex { $0.path == setting.file } ?? configuration.files.count
    }
}
