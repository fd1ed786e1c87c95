// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes
import Synchronization

/// A response whose head has arrived and whose body can be read.
public struct TransportResponse: Sendable {
    /// The status and header fields.
    public let head: ResponseHead
    /// The body; it has one consumer.
    public let body: ResponseBody

    /// Creates a response from a head and a body.
    public init(head: ResponseHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// A response's status and header fields.
///
/// A transport may provide the fields lazily: most callers never read them.
public struct ResponseHead: Sendable {
    // One reference, since it is passed on many times.
    private let parts: Parts

    /// The status, with the reason phrase if the protocol has one.
    public var status: HTTPResponse.Status { parts.status }
    /// The protocol of the response, as in a status line: `HTTP/1.1`, `HTTP/2`; `nil` if the transport doesn't know it.
    public var protocolName: String? { parts.protocolName }
    /// Whether the fields may contain a content coding; false if the transport saw that they don't.
    var mayBeCoded: Bool { parts.mayBeCoded }
    /// Whether the response arrived on a connection that had served other requests; false if the transport doesn't
    /// know.
    public var connectionHadServed: Bool { parts.connectionHadServed }

    /// A ``ResponseStore``'s note about the response, such as `hit; ttl=300` (RFC 9211 section 2); `nil` if the
    /// response is from the network and no store has added a note.
    public var storeNote: String? { parts.storeNote }

    /// Why the body still has a content coding that was not requested; `nil` for any other body.
    var codingProblem: ContentCodingProblem? { parts.codingProblem }

    /// Returns a copy of the head with a ``ResponseStore``'s note about the response.
    public func noting(_ storeNote: String) -> ResponseHead {
        ResponseHead(self, storeNote: storeNote, codingProblem)
    }

    /// The same head for a body that could not be decoded.
    func undecoded(_ problem: ContentCodingProblem) -> ResponseHead {
        ResponseHead(self, storeNote: storeNote, problem)
    }

    /// Creates a head with its fields.
    public init(
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        protocolName: String? = nil,
        connectionHadServed: Bool = false
    ) {
        parts = Parts(
            status,
            protocolName,
            .built(headers),
            mayBeCoded: true,
            connectionHadServed: connectionHadServed
        )
    }

    private init(_ head: ResponseHead, decoded: HTTPFields) {
        parts = Parts(
            head.status,
            head.protocolName,
            .built(decoded),
            mayBeCoded: false,
            coded: head.headers,
            connectionHadServed: head.connectionHadServed,
            storeNote: head.storeNote
        )
    }

    private init(
        _ head: ResponseHead,
        storeNote: String?,
        _ codingProblem: ContentCodingProblem?
    ) {
        parts = Parts(
            head.status,
            head.protocolName,
            .same(head.parts),
            mayBeCoded: head.mayBeCoded,
            coded: head.parts.coded,
            connectionHadServed: head.connectionHadServed,
            storeNote: storeNote,
            codingProblem: codingProblem
        )
    }

    /// Creates a head whose fields are built when they are first accessed; `build` is called at most once.
    ///
    /// `mayBeCoded` is false if the transport knows that there is no `Content-Encoding`, so the fields need not be
    /// built to check for it.
    public init(
        status: HTTPResponse.Status,
        protocolName: String? = nil,
        mayBeCoded: Bool = true,
        connectionHadServed: Bool = false,
        lazily build: @escaping @Sendable () -> HTTPFields
    ) {
        parts = Parts(
            status,
            protocolName,
            .waiting(build),
            mayBeCoded: mayBeCoded,
            connectionHadServed: connectionHadServed
        )
    }

    /// The header fields, without `Content-Encoding` and `Content-Length` if the body was decoded.
    public var headers: HTTPFields { parts.headers }

    /// The header fields as received, even if the body was decoded.
    public var receivedHeaders: HTTPFields { parts.coded ?? headers }

    /// The head for the decoded body.
    var decoded: ResponseHead {
        var fields = headers
        fields[.contentEncoding] = nil
        fields[.contentLength] = nil
        return ResponseHead(self, decoded: fields)
    }

    /// The head for a replaced body.
    func naming(_ type: String?) -> ResponseHead {
        var fields = headers
        fields[.contentLength] = nil
        if let type { fields[.contentType] = type }
        return ResponseHead(self, decoded: fields)
    }

    private final class Parts: Sendable {
        enum Fields {
            case waiting(@Sendable () -> HTTPFields)
            case built(HTTPFields)
            /// Those of another head.
            case same(Parts)
        }

        let status: HTTPResponse.Status
        let protocolName: String?
        let mayBeCoded: Bool
        let connectionHadServed: Bool
        let storeNote: String?
        let codingProblem: ContentCodingProblem?
        /// The fields as received, if ``headers`` differ from them.
        let coded: HTTPFields?
        private let fields: Mutex<Fields>

        init(
            _ status: HTTPResponse.Status,
            _ protocolName: String?,
            _ fields: sending Fields,
            mayBeCoded: Bool,
            coded: HTTPFields? = nil,
            connectionHadServed: Bool = false,
            storeNote: String? = nil,
            codingProblem: ContentCodingProblem? = nil
        ) {
            self.storeNote = storeNote
            self.codingProblem = codingProblem
            self.status = status
            self.protocolName = protocolName
            self.fields = Mutex(fields)
            self.mayBeCoded = mayBeCoded
            self.connectionHadServed = connectionHadServed
            self.coded = coded
        }

        // The transport's own parser runs under the lock, never user code.
        var headers: HTTPFields {
            fields.withLock { fields in
                switch fields {
                case .built(let headers): return headers
                case .same(let other): return other.headers
                case .waiting(let build):
                    let headers = build()
                    fields = .built(headers)
                    return headers
                }
            }
        }
    }
}

extension ResponseHead: Redacted {
    /// The status; header fields may contain secrets.
    public var description: String { "\(status.code) \(PeerText.printable(status.reasonPhrase))" }
}
