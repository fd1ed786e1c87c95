// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Heads of requests and responses as text, one field per line.
struct HeadText {
    let style: OutputPlan

    /// A response's head as received, before decoding.
    func text(of head: ResponseHead) -> String {
        let color = TerminalColor(statusCode: head.status.code)
        let phrase = head.status.reasonPhrase.isEmpty ? "" : " \(paint(clean(head.status.reasonPhrase), color))"
        let first =
            "\(paint(clean(head.protocolName ?? "HTTP"), .blue)) \(paint("\(head.status.code)", color))\(phrase)"
        return ([first] + head.receivedHeaders.map { line($0.name.rawName, $0.value, isAnswer: true) }).joined(
            separator: "\n"
        ) + "\n"
    }

    func line(_ name: String, _ value: String, isAnswer: Bool) -> String {
        let shown = style.showsSecrets ? value : secretless(value, of: name, isAnswer)
        return "\(paint(clean(name), .cyan)): \(clean(shown))"
    }

    private func secretless(_ value: String, of name: String, _ isAnswer: Bool) -> String {
        hides(name) ? "<redacted>" : SecretRedaction.value(value, of: name, isResponse: isAnswer, hiding: hides)
    }

    /// Whether a name is that of the user's secret.
    func hides(_ name: String) -> Bool { style.secretName?.lowercased() == name.lowercased() }

    func clean(_ text: String) -> String {
        style.isTerminal ? TerminalText.harmless(text, keepsLines: false) : text
    }

    func paint(_ text: String, _ color: TerminalColor) -> String {
        style.colors ? style.theme.paint(text, color) : text
    }
}
