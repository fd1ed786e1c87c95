// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A deliberate fault in how the loopback server handles a request.
///
/// Faults for one request are combined: `[.delay(.seconds(1)), .cut(at: 100)]`. A fault in place of a response
/// (``silence``, ``close``, ``garbage``, ``goAway``, ``resetStream(errorCode:)``) takes precedence over the others.
/// Pauses pass in real time.
public enum ServerFault: Sendable, Hashable {
    /// Waits before the first byte of the response.
    case delay(Duration)
    /// First sends an informational response (103 Early Hints, RFC 8297) with this `Link`.
    case earlyHints(link: String)
    /// Sends the body in pieces of this many bytes, with a pause after each.
    case drip(bytes: Int, every: Duration)
    /// Closes the connection after this many bytes of the body, or at its end; over HTTP/2 it resets the stream.
    case cut(at: Int)
    /// Resets the connection (TCP RST) after this many bytes of the body, or at its end; over HTTP/2 it resets the
    /// stream.
    case reset(at: Int)
    /// Announces a `Content-Length` that differs from the length of the body by this many bytes, then closes the
    /// connection.
    ///
    /// It has no effect on a body that is a script or a stream.
    case wrongLength(by: Int)
    /// Sends the head but no bytes of the body, and keeps the connection open until the peer closes it.
    case stallAfterHead

    /// Doesn't respond, and keeps the connection open until the peer closes it.
    case silence
    /// Closes the connection without a response; over HTTP/2 it resets the stream.
    case close
    /// Sends bytes that are neither HTTP/1.1 nor HTTP/2, and closes the connection.
    case garbage
    /// Refuses the request and all later ones on its connection: a GOAWAY over HTTP/2 (RFC 9113 section 6.8), which
    /// reports them as unprocessed; over HTTP/1.1 the same as ``close``.
    case goAway
    /// Resets the stream with an error code (RFC 9113 section 7): 7 is REFUSED_STREAM; over HTTP/1.1 it resets the
    /// connection.
    case resetStream(errorCode: Int)
}

extension ServerFault {
    /// Whether the server sends no response at all.
    var replacesResponse: Bool {
        switch self {
        case .delay, .earlyHints, .drip, .cut, .reset, .wrongLength, .stallAfterHead: false
        case .silence, .close, .garbage, .goAway, .resetStream: true
        }
    }
}

extension ServerResponse {
    /// Returns a copy of the response with faults, in addition to those that it already has.
    ///
    /// A body of bytes still announces its whole length, so a client can detect the loss.
    public func failing(_ faults: ServerFault...) -> Self { failing(faults) }

    func failing(_ faults: [ServerFault]) -> Self {
        var response = self
        for fault in faults {
            switch fault {
            case .delay(let time): response.delay += time
            case .earlyHints(let link):
                let fields = HTTPField.Name("Link").map { HTTPFields([HTTPField(name: $0, value: link)]) }
                response.informational.append(HTTPResponse(status: .earlyHints, headerFields: fields ?? [:]))
            case .wrongLength(let difference):
                guard case .bytes(let bytes) = response.content else { continue }
                response.framing = .contentLength(max(0, bytes.count + difference))
                response.closesConnection = true
            default: response.faults.append(fault)
            }
        }
        return response
    }
}
