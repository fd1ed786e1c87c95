// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request before it is encoded, which a preflight can inspect, change, or refuse.
public struct RequestDraft: RunningSubject {
    struct Parts: Sendable {
        var id: CallID
        let resource: Resource
        let settings: SettingsSnapshot
        var method: HTTPRequest.Method
        let origin: Origin
        let path: String
        var query: Query { didSet { preparedTarget = nil } }
        var headers: Headers { didSet { preparedFields = nil } }
        var payload: Payload
        let key: CallKey?
        var beginning: CallBeginning?
        let wanted: (any Any.Type)?
        let wantsValue: Bool
        let namesContentType: Bool
        var preparedTarget: String?
        var preparedFields: HTTPFields?
    }

    private var parts: Shared<Parts>

    /// The request's number.
    public var id: CallID { parts.value.id }
    /// The resource that the call was made on; its settings may have changed since then.
    public var resource: Resource { parts.value.resource }
    /// The settings that the call began with, which apply until its end.
    var settings: SettingsSnapshot { parts.value.settings }
    var node: ResourceNode? { parts.value.resource.node }
    /// The method.
    public var method: HTTPRequest.Method {
        get { parts.value.method }
        set { parts.value.method = newValue }
    }
    /// The request's origin; it can't be changed, since credentials depend on it.
    public var origin: Origin { parts.value.origin }
    /// The encoded path; it can't be changed, since credentials may depend on it.
    public var path: String { parts.value.path }
    /// The query, including inherited items.
    public var query: Query {
        get { parts.value.query }
        _modify { yield &parts.value.query }
    }
    /// The header fields, including inherited ones.
    public var headers: Headers {
        get { parts.value.headers }
        _modify { yield &parts.value.headers }
    }
    /// The request's body.
    public var payload: Payload {
        get { parts.value.payload }
        set { parts.value.payload = newValue }
    }
    /// Whether the call joins or replaces another one.
    var key: CallKey? { parts.value.key }
    var joins: Bool { key?.rule == .join }
    /// Where the call was started; `nil` if its caller waits for it.
    var beginning: CallBeginning? { parts.value.beginning }
    /// The type that the caller wants, which determines `Accept` if no header does.
    var wanted: (any Any.Type)? { parts.value.wanted }
    /// Whether the call asks for a value or for success, not for a response with any status.
    var wantsValue: Bool { parts.value.wantsValue }
    /// Whether the call itself sets the content type, or masks the one from a setting.
    var namesContentType: Bool { parts.value.namesContentType }
    /// The target and fields that were made in advance, until a caller or a preflight changes them.
    var preparedTarget: String? { parts.value.preparedTarget }
    var preparedFields: HTTPFields? { parts.value.preparedFields }

    init(_ parts: Parts) { self.parts = Shared(parts) }

    /// The same for another call that its caller does not wait for.
    func numbered(_ id: CallID) -> RequestDraft {
        var draft = self
        (draft.parts.value.id, draft.parts.value.beginning) = (id, nil)
        return draft
    }

    /// The request as far as it is known, for errors.
    var bare: EncodedRequest {
        EncodedRequest(.init(method: method, origin: origin, target: path, node: resource.node, id: id))
    }

    /// The current URL, with its query values redacted.
    public var redactedURL: String {
        RequestURL(origin: origin, path: path, query: query.encoded()).redacted
    }
}

extension RequestDraft: Redacted {
    /// The method and URL, without secrets.
    public var description: String { "\(method.rawValue) \(redactedURL)" }
}
