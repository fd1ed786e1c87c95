// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

/// Decides which credentials of a configuration go with a request.
struct ConfiguredCredentials {
    /// The settings that decide where a request goes, or in which form it carries credentials.
    private static let directions: Set<String> = ["base", "proxy", "resolve", "unix-socket", "auth-type", "verify"]

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
        besides options: AuthorizationOptions,
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
                return ConfiguredCredentials.directions.contains(setting.name)
                    && (setting.name != "auth-type" || !secret.isHeader)
            }
            guard let decider else { continue }
            throw secret.mistake(
                "\(quoted(secret.name)) is not sent where another file decides its way: "
                    + "\(decider.place) sets \(quoted(decider.name))",
                hint: decider.name == "base"
                    ? "a whole URL uses no base" : "give --\(decider.name) or -a on the command line, or --no-config"
            )
        }
    }

    /// Refuses credentials from a store of the user where the folder's file decides the way, and others there could
    /// read them.
    ///
    /// - Parameters:
    ///   - plan: The completed plan.
    ///   - applied: The applied settings of the folder's file.
    /// - Throws: ``UsageMistake`` with the place of the setting.
    func refuseStored(_ plan: Plan, _ applied: [ConfigurationSetting]) throws(UsageMistake) {
        let session = plan.session.flatMap { $0.isNew ? nil : "the session" }
        guard let store = plan.identityStore ?? session else { return }
        let origin = plan.target.origin
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
            "\(decider.name) decides the way to \(origin), where \(store) would be readable to others",
            hint: "give --\(decider.name) on the command line, or --no-config"
        )
    }

    private func rank(of setting: ConfigurationSetting) -> Int {
        configuration.files.firstIndex { $0.path == setting.file } ?? configuration.files.count
    }
}
