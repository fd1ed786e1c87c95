// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request as it is sent: method, URL, header fields, and a body.
public struct EncodedRequest: Sendable {
    struct Parts: Sendable {
        var method: HTTPRequest.Method
        var origin: Origin
        var target: String
        var headers: HTTPFields = [:]
        var body: RequestBody = .none
        var node: ResourceNode?
        var id: CallID?
        var wantsValue = false
        var hiddenNames: [String] = []
        var authorizerStates: [any Sendable] = []
    }

    private var parts: Shared<Parts>

    /// The method.
    public var method: HTTPRequest.Method {
        get { parts.value.method }
        set { parts.value.method = newValue }
    }
    /// The request's origin.
    ///
    /// If an authorizer or interceptor replaces the request with one for a different origin, the call fails.
    public internal(set) var origin: Origin {
        get { parts.value.origin }
        set { parts.value.origin = newValue }
    }
    /// The path and query, encoded.
    public var target: String {
        get { parts.value.target }
        set { parts.value.target = newValue }
    }
    /// The header fields, without those that frame the body.
    public var headers: HTTPFields {
        get { parts.value.headers }
        _modify { yield &parts.value.headers }
    }
    /// The body.
    public var body: RequestBody {
        get { parts.value.body }
        set { parts.value.body = newValue }
    }
    /// The resource on which the call was made.
    var node: ResourceNode? { parts.value.node }
    /// The request's number, the same for all its attempts; `nil` for a request made without a call.
    public var id: CallID? { parts.value.id }
    /// Whether the caller requests a value or success, and therefore can't use a 304 unless it has set conditions
    /// itself.
    var wantsValue: Bool { parts.value.wantsValue }

    /// The data about added credentials that their authorizers need when they see the response.
    var authorizerStates: [any Sendable] {
        get { parts.value.authorizerStates }
        set { parts.value.authorizerStates = newValue }
    }

    /// Creates a request; the transport checks the target and the fields.
    public init(
        method: HTTPRequest.Method,
        url: RequestURL,
        headers: HTTPFields = [:],
        body: RequestBody = .none
    ) {
        self.init(Parts(method: method, origin: url.origin, target: url.target, headers: headers, body: body))
    }

    init(_ parts: Parts) { self.parts = Shared(parts) }

    /// Replaces all values of a header field, whose name can be in a variable.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; `nil` removes the field.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidHeader`` for a name that is not a token, or a value
    ///   that is not allowed in a header (RFC 9110 section 5); the value is not quoted.
    public mutating func setHeader(_ name: Headers.Name, to value: String?) throws {
        let checked: HTTPFields = try Stage.run(.encoding, .invalidHeader, request: self) {
            try ([name: value ?? ""] as Headers).fields()
        }
        guard let field = checked.first else { return }
        headers[field.name] = value
    }

    /// Hides the value of a field or query item with this name in logs, `curl()` and descriptions.
    ///
    /// Names such as `Authorization`, `X-API-Key` or `token` are always hidden. An authorizer calls this method for its
    /// own names.
    public mutating func hide(_ name: String) {
        if !hides(name) { parts.value.hiddenNames.append(name.lowercased()) }
    }

    /// The names that were passed to ``hide(_:)``, in lower case.
    var hiddenNames: [String] { parts.value.hiddenNames }

    /// The same request with additional hidden names.
    func hiding(_ names: [String]) -> EncodedRequest {
        var hiding = self
        for name in names { hiding.hide(name) }
        return hiding
    }

    /// Returns whether a name was passed to ``hide(_:)``, in any letter case.
    ///
    /// Pass this to ``SecretRedaction`` when you print or store parts of a request.
    public func hides(_ name: String) -> Bool {
        let names = parts.value.hiddenNames
        return !names.isEmpty && names.contains(name.lowercased())
    }

    /// The URL.
    public var url: RequestURL {
        // The search compares bytes, since a combining mark would hide the question mark from a search by characters.
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return RequestURL(origin: origin, path: target, query: nil)
        }
        let query = target[target.utf8.index(after: mark)...]
        return RequestURL(origin: origin, path: String(target[..<mark]), query: String(query))
    }

    /// The URL with query values redacted.
    public var redactedURL: String { url.redacted }
}

extension EncodedRequest: Redacted {
    /// The method and URL, without secrets.
    public var description: String { "\(method.rawValue) \(redactedURL)" }
}

extension EncodedRequest {
    /// Throws for a header field that a hook has set and that can't be sent.
    func checkFields(at stage: RequestStage) throws {
        guard let malformation = headers.malformation else { return }
        var shown = self
        shown.headers = [:]
        throw CumulusError(.invalidHeader, stage: stage, malformation.description, request: shown, cause: malformation)
    }
}
