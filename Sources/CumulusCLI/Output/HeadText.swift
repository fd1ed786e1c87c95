// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPTypes

/// Heads of requests and responses as text, a line a field.
struct HeadText {
    let style: OutputPlan

    /// A request's head, with the fields that the transport adds.
    func text(of request: TransportRequest, length: Int? = nil) -> String {
        var fields = fields(of: request)
        if let length, let place = fields.firstIndex(where: { $0.name.lowercased() == "content-length" }) {
            fields[place].value = "\(length)"
        }
        let secretless =
            style.showsSecrets
            ? request.target : SecretRedaction.target(request.target, hiding: hides)
        let target = paint(clean(secretless), .cyan)
        let first = "\(paint(clean(request.method.rawValue), .green)) \(target) \(paint("HTTP/1.1", .blue))"
        let lines = [first] + fields.map { line($0.name, $0.value, isAnswer: false) }
        return style.isWire ? lines.joined(separator: "\r\n") + "\r\n\r\n" : lines.joined(separator: "\n") + "\n"
    }

    /// The fields as they are sent; of a request that is refused, as they would be.
    private func fields(of request: TransportRequest) -> [(name: String, value: String)] {
        if let written = try? WrittenRequest(request) { return written.fields }
        let own = request.headers.map { (name: $0.name.rawName, value: $0.value) }
        let hasHost = own.contains { $0.name.lowercased() == "host" }
        return hasHost ? own : [("Host", request.origin.authority)] + own
    }

    /// A response's head as it came, before content codings were undone.
    func text(of head: ResponseHead) -> String {
        let color = TerminalColor(statusCode: head.status.code)
        let phrase = head.status.reasonPhrase.isEmpty ? "" : " \(paint(clean(head.status.reasonPhrase), color))"
        let first =
            "\(paint(clean(head.protocolName ?? "HTTP"), .blue)) \(paint("\(head.status.code)", color))\(phrase)"
        return ([first] + head.receivedHeaders.map { line($0.name.rawName, $0.value, isAnswer: true) }).joined(
            separator: "\n"
        ) + "\n"
    }

    private func line(_ name: String, _ value: String, isAnswer: Bool) -> String {
        let shown = style.showsSecrets ? value : secretless(value, of: name, isAnswer)
        return "\(paint(clean(name), .cyan)): \(clean(shown))"
    }

    private func secretless(_ value: String, of name: String, _ isAnswer: Bool) -> String {
        hides(name) ? "<redacted>" : SecretRedaction.value(value, of: name, isAnswer: isAnswer, hiding: hides)
    }

    /// Whether a name is that of the secret which the user has named.
    private func hides(_ name: String) -> Bool { style.secretName?.lowercased() == name.lowercased() }

    private func clean(_ text: String) -> String {
        style.isTerminal ? TerminalText.harmless(text, keepsLines: false) : text
    }

    private func paint(_ text: String, _ color: TerminalColor) -> String {
        style.colors ? color.paint(text) : text
    }
}
