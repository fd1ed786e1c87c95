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
    /// The status, with the reason phrase where the protocol has one.
    public let status: HTTPResponse.Status
    /// The protocol it came by, as a status line names it: `HTTP/1.1`, `HTTP/2`; `nil` where the transport can't tell.
    public let protocolName: String?
    private let fields: Fields
    /// Whether the fields may name a content coding; false where the transport saw that they don't.
    let mayBeCoded: Bool
    /// The fields as they came, where ``headers`` are others.
    private let coded: HTTPFields?

    /// Makes a head whose fields are at hand.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], protocolName: String? = nil) {
        self.status = status
        self.protocolName = protocolName
        self.fields = .ready(headers)
        mayBeCoded = true
        coded = nil
    }

    private init(_ head: ResponseHead, decoded: HTTPFields) {
        status = head.status
        protocolName = head.protocolName
        fields = .ready(decoded)
        mayBeCoded = false
        coded = head.headers
    }

    /// Makes a head whose fields are built when somebody first looks; `build` is called at most once.
    ///
    /// `mayBeCoded` is false where the transport saw that there is no `Content-Encoding`, so that the fields need not be
    /// built to know it.
    public init(
        status: HTTPResponse.Status,
        protocolName: String? = nil,
        mayBeCoded: Bool = true,
        lazily build: @escaping @Sendable () -> HTTPFields
    ) {
        self.status = status
        self.protocolName = protocolName
        self.fields = .lazy(LazyFields(build))
        self.mayBeCoded = mayBeCoded
        coded = nil
    }

    /// The header fields; without `Content-Encoding` and `Content-Length` where the body was decoded.
    public var headers: HTTPFields {
        switch fields {
        case .ready(let headers): headers
        case .lazy(let lazy): lazy.headers
        }
    }

    /// The header fields as they came, also where the body was decoded.
    public var receivedHeaders: HTTPFields { coded ?? headers }

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

    private enum Fields: Sendable {
        case ready(HTTPFields)
        case lazy(LazyFields)
    }
}

/// Header fields that are built on first use.
private final class LazyFields: Sendable {
    private enum State {
        case waiting(@Sendable () -> HTTPFields)
        case built(HTTPFields)
    }

    private let state: Mutex<State>

    init(_ build: @escaping @Sendable () -> HTTPFields) { state = Mutex(.waiting(build)) }

    // The transport's own parser runs under the lock, never a user's code.
    var headers: HTTPFields {
        state.withLock { state in
            switch state {
            case .built(let headers): return headers
            case .waiting(let build):
                let headers = build()
                state = .built(headers)
                return headers
            }
        }
    }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status; header fields may hold secrets.
    public var description: String { "\(status.code) \(PeerText.printable(status.reasonPhrase))" }
    /// Shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["status": description]) }
}
