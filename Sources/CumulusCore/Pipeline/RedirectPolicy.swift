// SPDX-License-Identifier: Apache-2.0

/// Which redirects are followed (RFC 9110 section 15.4), and what is sent along.
///
/// 301 and 302 change POST to GET, 303 changes everything but HEAD to GET, 307 and 308 keep method and body. A hop to
/// another origin only gets harmless header fields, and no later hop gets more. Redirects from https to http are
/// refused.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects are followed before ``CumulusError/Code/tooManyRedirects``; 0 returns the first one.
    public var limit: Int { didSet { edits.note(0) } }
    /// Whether a hop may go from https to plain http.
    public var allowsDowngrade: Bool { didSet { edits.note(1) } }
    /// Whether 307 and 308 may send a body to another origin.
    public var sendsBodiesToOtherOrigins: Bool { didSet { edits.note(2) } }
    var edits = FieldEdits.all

    /// Makes a policy, by default with up to 20 redirects.
    public init(limit: Int = 20, allowsDowngrade: Bool = false, sendsBodiesToOtherOrigins: Bool = false) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.sendsBodiesToOtherOrigins = sendsBodiesToOtherOrigins
    }

    /// Follows no redirects: they are returned like any other response.
    public static let none = RedirectPolicy(limit: 0)
}

extension RedirectPolicy: FieldwiseSetting {
    mutating func take(_ other: RedirectPolicy) {
        if other.edits.says(0) { limit = other.limit }
        if other.edits.says(1) { allowsDowngrade = other.allowsDowngrade }
        if other.edits.says(2) { sendsBodiesToOtherOrigins = other.sendsBodiesToOtherOrigins }
    }

    /// Whether both policies are the same.
    public static func == (left: RedirectPolicy, right: RedirectPolicy) -> Bool {
        (left.limit, left.allowsDowngrade, left.sendsBodiesToOtherOrigins)
            == (right.limit, right.allowsDowngrade, right.sendsBodiesToOtherOrigins)
    }

    /// Hashes the policy.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(limit)
        hasher.combine(allowsDowngrade)
        hasher.combine(sendsBodiesToOtherOrigins)
    }
}

extension RedirectPolicy: CustomStringConvertible {
    /// The policy in words.
    public var description: String {
        let extras = [
            allowsDowngrade ? "also from https to http" : nil,
            sendsBodiesToOtherOrigins ? "bodies also to other origins" : nil,
        ]
        return (["up to \(limit)"] + extras.compactMap(\.self)).joined(separator: ", ")
    }
}

extension Settings {
    /// Which redirects are followed.
    ///
    /// Default: up to 20, never from https to http. The nearest layer wins, field by field: `redirects.limit = 5`
    /// leaves the other fields inherited; a whole policy sets them all.
    public var redirects: RedirectPolicy {
        get { self[RedirectsKey.self] }
        set { self[RedirectsKey.self] = newValue }
    }
}

/// The key of ``Settings/redirects``.
enum RedirectsKey: SettingKey {
    /// Up to 20.
    static var defaultValue: RedirectPolicy { RedirectPolicy() }

    /// The nearer value of each field.
    static func combine(inherited: RedirectPolicy, own: RedirectPolicy) -> RedirectPolicy {
        RedirectPolicy.combine(inherited: inherited, own: own)
    }

    /// The changed fields, or all fields of a policy made by an initializer.
    static func write(_ value: RedirectPolicy, onto own: RedirectPolicy?, in layer: LayerContext)
        -> RedirectPolicy
    {
        value.written(onto: own, in: layer)
    }

    /// All fields.
    static func read(_ value: RedirectPolicy, in layer: LayerContext) -> RedirectPolicy {
        value.readFromLayer(layer)
    }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}
