// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Heads of requests and responses as text, a line a field.
struct HeadText {
    let style: OutputPlan

    /// A request's head, with the fields that the transport adds.
    func text(of request: TransportRequest) -> String {
        var fields = request.headers
        if fields[.init("Host") ?? .accept] == nil { fields = host(request.origin.authority) + fields }
        switch request.body {
        case .none:
            // RFC 9110 section 8.6: these methods say that there is no content.
            let announces = [HTTPRequest.Method.post, .put, .patch].contains(request.method)
            if announces { fields[.contentLength] = "0" }
        case .bytes, .file, .stream:
            if let length = request.body.length {
                fields[.contentLength] = "\(length)"
            } else {
                fields[.transferEncoding] = "chunked"
            }
        }
        let secretless =
            style.showsSecrets
            ? request.target : SecretRedaction.target(request.target, hiding: hides)
        let target = paint(clean(secretless), .cyan)
        let first = "\(paint(clean(request.method.rawValue), .green)) \(target) \(paint("HTTP/1.1", .blue))"
        return ([first] + fields.map { line($0, isAnswer: false) }).joined(separator: "\n") + "\n"
    }

    /// A response's head as it came, before content codings were undone.
    func text(of head: ResponseHead) -> String {
        let color = TerminalColor(statusCode: head.status.code)
        let phrase = head.status.reasonPhrase.isEmpty ? "" : " \(paint(clean(head.status.reasonPhrase), color))"
        let first =
            "\(paint(clean(head.protocolName ?? "HTTP"), .blue)) \(paint("\(head.status.code)", color))\(phrase)"
        return ([first] + head.receivedHeaders.map { line($0, isAnswer: true) }).joined(separator: "\n") + "\n"
    }

    private func host(_ authority: String) -> HTTPFields {
        guard let name = HTTPField.Name("Host") else { return [:] }
        return [name: authority]
    }

    private func line(_ field: HTTPField, isAnswer: Bool) -> String {
        let name = field.name.rawName
        let value = style.showsSecrets ? field.value : secretless(field.value, of: name, isAnswer)
        return "\(paint(name, .cyan)): \(clean(value))"
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
