// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request before it is encoded: what a preflight may look at, change, or refuse.
public struct RequestDraft: Sendable {
    /// The request's number.
    public let id = RequestID.next()
    /// The resource that the call was made on; its settings may have changed since.
    public let resource: Resource
    /// The method.
    public var method: HTTPRequest.Method
    /// Where the request goes; fixed, since credentials hang on it.
    public let origin: Origin
    /// The encoded path; fixed for the same reason.
    public let path: String
    /// The query, inherited items included.
    public var query: Query { didSet { readyTarget = nil } }
    /// The header fields, inherited ones included.
    public var headers: Headers { didSet { readyFields = nil } }
    /// What the request carries.
    public var payload: Payload
    /// The type that the caller wants, which chooses `Accept` where no header does.
    let wanted: (any Any.Type)?
    /// Whether the call itself says what its content is, or masks what a setting says.
    let namesContentType: Bool
    /// Target and fields made ahead, while neither a caller nor a preflight has changed them.
    private(set) var readyTarget: String?
    private(set) var readyFields: HTTPFields?

    init(
        method: HTTPRequest.Method,
        resource: Resource,
        settings: SettingsSnapshot,
        query: Query,
        headers: Headers,
        payload: Payload,
        wanted: (any Any.Type)?
    ) throws {
        let address = try resource.addressOrRefusal()
        let ready = settings.pipeline.encoding.ready
        self.resource = resource
        self.method = method
        self.origin = address.origin
        self.path = address.path(ready.trailingSlash)
        self.payload = payload
        self.wanted = wanted
        self.namesContentType = !headers.isUnsaid(.contentType)
        self.query = query.isEmpty ? ready.query : ready.query.merging(query)
        self.headers = headers.isEmpty ? ready.headers : ready.headers.merging(headers)
        if query.isEmpty { readyTarget = ready.queryString.map { "\(path)?\($0)" } ?? path }
        if headers.isEmpty { readyFields = ready.fields }
    }

    /// The request as far as it is known, for errors.
    var bare: EncodedRequest {
        EncodedRequest(
            method: method,
            origin: origin,
            target: path,
            headers: [:],
            body: .none,
            resource: resource,
            id: id
        )
    }

    /// The URL as it stands, query values redacted.
    public var redactedURL: String {
        RequestURL(origin: origin, path: path, query: query.encoded()).redacted
    }
}

extension RequestDraft: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without secrets.
    public var description: String { "\(method.rawValue) \(redactedURL)" }
    /// Shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
