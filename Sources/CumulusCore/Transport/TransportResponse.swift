// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
import Synchronization

/// A response whose head has arrived and whose body is there to be pulled.
public struct TransportResponse: Sendable {
    /// Status and header fields.
    public let head: ResponseHead
    /// The body; it has one consumer.
    public let body: ResponseBody

    /// Puts a head and a body together.
    public init(head: ResponseHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// A response's status and header fields.
///
/// A transport may give the fields lazily: most callers never look at them.
public struct ResponseHead: Sendable {
    // One reference, since it is handed on many times.
    private let parts: Parts

    /// The status, with the reason phrase where the protocol has one.
    public var status: HTTPResponse.Status { parts.status }
    /// The protocol it came by, as a status line names it: `HTTP/1.1`, `HTTP/2`; `nil` if the transport can't tell.
    public var protocolName: String? { parts.protocolName }
    /// Whether the fields may name a content coding; false if the transport saw that they don't.
    var mayBeCoded: Bool { parts.mayBeCoded }

    /// Makes a head whose fields are at hand.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], protocolName: String? = nil) {
        parts = Parts(status, protocolName, .built(headers), mayBeCoded: true)
    }

    private init(_ head: ResponseHead, decoded: HTTPFields) {
        parts = Parts(head.status, head.protocolName, .built(decoded), mayBeCoded: false, coded: head.headers)
    }

    /// Makes a head whose fields are built when somebody first looks; `build` is called at most once.
    ///
    /// `mayBeCoded` is false if the transport saw that there is no `Content-Encoding`, so that the fields need not be
    /// built to know it.
    public init(
        status: HTTPResponse.Status,
        protocolName: String? = nil,
        mayBeCoded: Bool = true,
        lazily build: @escaping @Sendable () -> HTTPFields
    ) {
        parts = Parts(status, protocolName, .waiting(build), mayBeCoded: mayBeCoded)
    }

    /// The header fields; without `Content-Encoding` and `Content-Length` where the body was decoded.
    public var headers: HTTPFields { parts.headers }

    /// The header fields as received, even if the body was decoded.
    public var receivedHeaders: HTTPFields { parts.coded ?? headers }

    /// The head of the body without its codings.
    var decoded: ResponseHead {
        var fields = headers
        fields[.contentEncoding] = nil
        fields[.contentLength] = nil
        return ResponseHead(self, decoded: fields)
    }

    /// The head of a body that took the place of the one that came.
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
        }

        let status: HTTPResponse.Status
        let protocolName: String?
        let mayBeCoded: Bool
        /// The fields as received, where ``headers`` are others.
        let coded: HTTPFields?
        private let fields: Mutex<Fields>

        init(
            _ status: HTTPResponse.Status,
            _ protocolName: String?,
            _ fields: sending Fields,
            mayBeCoded: Bool,
            coded: HTTPFields? = nil
        ) {
            self.status = status
            self.protocolName = protocolName
            self.fields = Mutex(fields)
            self.mayBeCoded = mayBeCoded
            self.coded = coded
        }

        // The transport's own parser runs under the lock, never a user's code.
        var headers: HTTPFields {
            fields.withLock { fields in
                switch fields {
                case .built(let headers): return headers
                case .waiting(let build):
                    let headers = build()
                    fields = .built(headers)
                    return headers
                }
            }
        }
    }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status; header fields may hold secrets.
    public var description: String { "\(status.code) \(PeerText.printable(status.reasonPhrase))" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["status": description]) }
}
