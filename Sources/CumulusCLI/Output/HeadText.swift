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
        let target = paint(clean(request.target), .cyan)
        let first = "\(paint(request.method.rawValue, .green)) \(target) \(paint("HTTP/1.1", .blue))"
        return ([first] + fields.map { line($0, isSecret: hides($0)) }).joined(separator: "\n") + "\n"
    }

    /// A response's head as it came, before content codings were undone.
    func text(of head: ResponseHead) -> String {
        let color = TerminalColor(statusCode: head.status.code)
        let phrase = head.status.reasonPhrase.isEmpty ? "" : " \(paint(clean(head.status.reasonPhrase), color))"
        let first =
            "\(paint(clean(head.protocolName ?? "HTTP"), .blue)) \(paint("\(head.status.code)", color))\(phrase)"
        return ([first] + head.receivedHeaders.map { line($0, isSecret: false) }).joined(separator: "\n") + "\n"
    }

    private func host(_ authority: String) -> HTTPFields {
        guard let name = HTTPField.Name("Host") else { return [:] }
        return [name: authority]
    }

    private func line(_ field: HTTPField, isSecret: Bool) -> String {
        let name = paint(field.name.rawName, .cyan)
        guard isSecret else { return "\(name): \(clean(field.value))" }
        // The scheme of an authorization is no secret: `Basic`, `Bearer`.
        let scheme = field.name == .authorization ? field.value.prefix { $0 != " " } + " " : ""
        return "\(name): \(scheme)<redacted>"
    }

    /// Whether the library's rule takes a request's field for a secret.
    private func hides(_ field: HTTPField) -> Bool {
        guard !style.showsSecrets else { return false }
        return Headers(HTTPFields([field])).description != "\(field.name.rawName): \(field.value)"
    }

    private func clean(_ text: String) -> String {
        style.isTerminal ? TerminalText.harmless(text, keepsLines: false) : text
    }

    private func paint(_ text: String, _ color: TerminalColor) -> String {
        style.colors ? color.paint(text) : text
    }
}
