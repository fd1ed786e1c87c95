// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import NIOCore

/// A request as HTTP/1.1 writes it on a connection, for printing it instead of sending it.
package struct WrittenRequest: Sendable {
    /// The header fields in order, including those that the transport adds.
    package let fields: [(name: String, value: String)]

    /// Writes the head.
    ///
    /// - Throws: ``TransportFailure`` for a request that could not be sent either.
    package init(_ request: TransportRequest) throws(TransportFailure) {
        let outgoing = try OutgoingRequest(request)
        var fields: [(name: String, value: String)] = []
        var rest = outgoing.start.readableBytesView[...]
        // The caller writes the request line.
        _ = WrittenRequest.line(&rest)
        while let line = WrittenRequest.line(&rest), !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        self.fields = fields
    }

    /// Takes the next line, without its end.
    private static func line(_ rest: inout ByteBufferView.SubSequence) -> ByteBufferView.SubSequence? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[rest.index(after: end)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
