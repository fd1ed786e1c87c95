// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPTypes

extension HeadText {
    /// A request's head, including the fields that the transport adds.
    ///
    /// The protocol is that of its response; without one, it is HTTP/1.1.
    func text(of request: TransportRequest, length: Int? = nil, over protocolName: String? = nil) -> String {
        var fields = fields(of: request)
        if let length, let place = fields.firstIndex(where: { $0.name.lowercased() == "content-length" }) {
            fields[place].value = "\(length)"
        }
        let secretless =
            style.showsSecrets
            ? request.target : SecretRedaction.target(request.target, hiding: hides)
        let target = paint(clean(secretless), .cyan)
        let first =
            "\(paint(clean(request.method.rawValue), .green)) \(target) \(paint(clean(protocolName ?? "HTTP/1.1"), .blue))"
        let lines = [first] + fields.map { line($0.name, $0.value, isAnswer: false) }
        return style.isWire ? lines.joined(separator: "\r\n") + "\r\n\r\n" : lines.joined(separator: "\n") + "\n"
    }

    /// The fields as they are sent; for a refused request, as they would be.
    private func fields(of request: TransportRequest) -> [(name: String, value: String)] {
        if let written = try? WrittenRequest(request) { return written.fields }
        let own = request.headers.map { (name: $0.name.rawName, value: $0.value) }
        let hasHost = own.contains { $0.name.lowercased() == "host" }
        return hasHost ? own : [("Host", request.origin.authority)] + own
    }
}
