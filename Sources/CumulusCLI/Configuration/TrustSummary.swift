// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The settings of a configuration file that decide where requests go and what they carry, for the question whether to
/// trust it: its whole text may be longer than the screen.
struct TrustSummary {
    private static let names = [
        "base", "proxy", "proxy-user", "resolve", "unix-socket", "verify", "cert", "auth", "session", "cookies",
    ]
    private static let most = 3

    /// A line for each name, so that no file makes the summary longer than the screen.
    let lines: [String]

    init(_ file: ConfigurationFile) {
        var lines: [String] = []
        for name in TrustSummary.names {
            let found = file.settings.filter { !$0.isHeader && $0.name == name }
            let shown = found.prefix(TrustSummary.most).map { setting in
                "\(PeerText.printable(ConfigurationListing.text(setting), limit: 60)) (line \(setting.value.line))"
            }
            if let line = TrustSummary.line("sets \(name)", shown, of: found.count) { lines.append(line) }
        }
        let headers = file.settings.filter(\.isHeader)
        let shown = headers.prefix(TrustSummary.most).map { "\(quoted($0.name)) (line \($0.value.line))" }
        if let line = TrustSummary.line("sends headers", shown, of: headers.count) { lines.append(line) }
        self.lines = lines
    }

    private static func line(_ title: String, _ shown: [String], of count: Int) -> String? {
        guard count > 0 else { return nil }
        return "\(title): " + shown.joined(separator: ", ") + (count > most ? ", and \(count - most) more" : "")
    }
}
