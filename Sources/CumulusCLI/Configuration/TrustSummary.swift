// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The settings of a configuration file that decide where requests go and what they carry, for the question whether to
/// trust it: its whole text may be longer than the screen.
struct TrustSummary {
    private static let most = 3
    /// The sentences about secrets of the user; each says what goes where.
    private static let mostSecrets = 10

    /// A line for each name and for each secret, so that no file makes the summary longer than the screen.
    let lines: [String]

    init(_ file: ConfigurationFile) {
        var lines: [String] = []
        for name in OptionTable.rows.filter({ $0.roles.contains(.summarized) }).map(\.name) {
            let found = file.settings.filter { !$0.isHeader && $0.name == name }
            let shown = found.prefix(TrustSummary.most).map { setting in
                "\(PeerText.printable(ConfigurationListing.text(setting), limit: 60)) (line \(setting.value.line))"
            }
            if let line = TrustSummary.line("sets \(name)", shown, of: found.count) { lines.append(line) }
        }
        let headers = file.settings.filter(\.isHeader)
        let shown = headers.prefix(TrustSummary.most).map { "\(quoted($0.name)) (line \($0.value.line))" }
        if let line = TrustSummary.line("sends headers", shown, of: headers.count) { lines.append(line) }
        let secrets = file.settings.compactMap { TrustSummary.sentence($0, of: file) }
        lines += secrets.prefix(TrustSummary.mostSecrets)
        let more = secrets.count - TrustSummary.mostSecrets
        if more > 0 { lines.append("sends \(more) more of your secrets") }
        self.lines = lines
    }

    private static func line(_ title: String, _ shown: [String], of count: Int) -> String? {
        guard count > 0 else { return nil }
        return "\(title): " + shown.joined(separator: ", ") + (count > most ? ", and \(count - most) more" : "")
    }

    /// Which secret from elsewhere a setting sends, and where to; `nil` if it sends none.
    private static func sentence(_ setting: ConfigurationSetting, of file: ConfigurationFile) -> String? {
        let secret: String
        if let word = setting.reference {
            let isFile = word.begins(with: "@")
            let name = PeerText.printable(word.utf8.dropFirst(isFile ? 1 : 4).text, limit: 60)
            secret = isFile ? "this folder's file \(name)" : "your variable \(name)"
        } else if !setting.isHeader, setting.name == "auth-type", let kind = setting.text, AWSIdentity.isNamed(kind) {
            secret = "the session token of your AWS keys"
        } else {
            return nil
        }
        return "sends \(secret) to \(receiver(of: setting, in: file)) (line \(setting.value.line))"
    }

    private static func receiver(of setting: ConfigurationSetting, in file: ConfigurationFile) -> String {
        let place = setting.isProxyUser ? "proxy" : "base"
        if !setting.isProxyUser, setting.isOfHost {
            return PeerText.printable(setting.block.utf8.dropFirst("hosts.".utf8.count).text, limit: 80)
        }
        let all = file.settings.filter { !$0.isHeader && $0.name == place }
        let found = all.first { $0.block == setting.block } ?? all.first { $0.block == "defaults" }
        if let found { return PeerText.printable(ConfigurationListing.text(found), limit: 60) }
        return setting.isProxyUser
            ? "the proxy" : "every host that is called with [\(PeerText.printable(setting.block))]"
    }
}
