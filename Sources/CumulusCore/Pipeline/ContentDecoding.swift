// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Decodes the content codings of a response (RFC 9110 section 8.4).
struct ContentDecoding: Sendable {
    /// The maximum number of codings of one response.
    static let mostCodings = 5

    private let known: [ContentCoding]

    init(_ settings: SettingValues, transport: any Transport) {
        known = ContentDecoding.codings(settings, transport: transport)
    }

    /// The codings that are decoded here: those of the settings, or none if the transport decodes content itself.
    static func codings(_ settings: SettingValues, transport: any Transport) -> [ContentCoding] {
        transport.capabilities.decodesContent ? [] : settings.value(ContentCodingsKey.self)
    }

    /// Decodes the codings that the head lists, the last one first; the body is decoded as it is read.
    ///
    /// A body with an unknown coding stays as it is. Unless the caller's own `Accept-Encoding` lists that coding, the
    /// head contains a ``ResponseHead/codingProblem``.
    ///
    /// - Parameters:
    ///   - response: The response, whose body is replaced.
    ///   - request: Its request.
    ///   - call: The call. Before each piece of at most 64 KiB is decoded, its cancellation and deadline are checked, since
    ///     the bytes may have arrived long before.
    ///   - clock: The clock of the deadline.
    /// - Throws: ``ContentCodingProblem`` for too many codings.
    func decode(
        _ response: inout TransportResponse,
        of request: EncodedRequest,
        for call: CallContext,
        on clock: any RequestClock
    ) throws {
        guard response.head.mayBeCoded, !known.isEmpty, hasWholeBody(response, to: request) else { return }
        let names = ContentCoding.names(in: response.head.headers[values: .contentEncoding])
            .filter { !ContentCoding.isIdentity($0) }
        guard !names.isEmpty else { return }
        let status = response.head.status.code
        guard names.count <= ContentDecoding.mostCodings else {
            throw ContentCodingProblem(
                "the response (\(status)) has \(names.count) content codings; at most "
                    + "\(ContentDecoding.mostCodings) are decoded"
            )
        }
        var codings: [ContentCoding] = []
        for name in names {
            let coding = known.first { $0.answers(to: name) }
            if let coding, coding.isAvailable {
                codings.append(coding)
                continue
            }
            if asks(request, for: name) { return }
            let missing = coding?.missingLibrary.map { "; decoding it needs a library that is missing: \($0)" } ?? ""
            let problem = ContentCodingProblem(
                "the response (\(status)) has the content coding \(PeerText.quoted(name)), which was not requested"
                    + missing,
                kind: .unrequested(name)
            )
            response = TransportResponse(head: response.head.undecoded(problem), body: response.body)
            return
        }
        let wire = WireCount()
        var body = response.body
        for (index, coding) in codings.reversed().enumerated() {
            let source = InflatingBody(body, coding, wire: wire, isOutermost: index == 0) {
                try call.checkTime(on: clock)
            }
            body = body.decoded(by: source, counting: wire)
        }
        response = TransportResponse(head: response.head.decoded, body: body)
    }

    /// Whether the response has a whole body.
    ///
    /// A part of a coded body can't be decoded.
    private func hasWholeBody(_ response: TransportResponse, to request: EncodedRequest) -> Bool {
        response.body.expectedLength != 0 && request.method != .head
            && ![204, 206, 304].contains(response.head.status.code)
            && !response.head.headers.isPart(length: response.body.expectedLength)
    }

    /// Whether the caller's own `Accept-Encoding` lists the coding, or any coding (`*`).
    private func asks(_ request: EncodedRequest, for name: String) -> Bool {
        ContentCoding.names(in: request.headers[values: .acceptEncoding]).contains {
            let asked = $0.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            return asked.elementsEqual(name.utf8) || asked.elementsEqual("*".utf8)
        }
    }
}
