// SPDX-License-Identifier: Apache-2.0

/// The rules for redirects: which ones are followed (RFC 9110 section 15.4), and which parts of a request they send.
///
/// 301 and 302 change POST to GET, 303 changes all methods except HEAD to GET, and 307 and 308 keep the method and
/// body. A redirect to a different origin sends only harmless header fields, and no later redirect sends more.
/// Redirects from https to http are refused.
public struct RedirectPolicy: Sendable, Hashable {
    /// The number of redirects that are followed before ``CumulusError/Code/tooManyRedirects``; 0 returns the first
    /// one.
    public var limit: Int
    /// Whether a redirect may lead from https to plain http.
    public var allowsDowngrade: Bool
    /// Whether 307 and 308 may send a body to a different origin.
    public var sendsBodiesToOtherOrigins: Bool

    /// Creates a policy, by default with up to 20 redirects.
    public init(limit: Int = 20, allowsDowngrade: Bool = false, sendsBodiesToOtherOrigins: Bool = false) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.sendsBodiesToOtherOrigins = sendsBodiesToOtherOrigins
    }

    /// A policy that doesn't follow redirects; they are returned like any other response.
    public static let none = RedirectPolicy(limit: 0)
}

extension RedirectPolicy: CustomStringConvertible {
    /// A description of the policy.
    public var description: String {
        let extras = [
            allowsDowngrade ? "also from https to http" : nil,
            sendsBodiesToOtherOrigins ? "bodies also to other origins" : nil,
        ]
        return (["up to \(limit)"] + extras.compactMap(\.self)).joined(separator: ", ")
    }
}

extension Resource.Settings {
    /// The rules for redirects.
    ///
    /// Default: up to 20, never from https to http. The nearest layer wins.
    public var redirects: RedirectPolicy {
        get { self[key: RedirectsKey.self] }
        set { self[key: RedirectsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/redirects``.
enum RedirectsKey: HarmlessSettingKey {
    /// The default: up to 20 redirects.
    static var defaultValue: RedirectPolicy { RedirectPolicy() }
}
