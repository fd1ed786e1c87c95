// SPDX-License-Identifier: Apache-2.0

/// Stage 3c, in front of authorization: gives each origin back what it gave, and nothing to any other.
///
/// It is asked for each attempt behind the interceptors, so what it adds for one origin never crosses to another.
protocol CookieJar: Sendable {
    /// Adds what belongs to the request's origin; may not change the origin.
    func add(to request: inout EncodedRequest)

    /// Keeps what an answer gives.
    func keep(_ head: ResponseHead, of request: EncodedRequest)
}

/// The key of the jar; cookies come with resilience.
enum CookieJarKey: SettingKey {
    static var defaultValue: (any CookieJar)? { nil }

    static var crossesOrigins: Bool { true }
}

extension Settings {
    var cookieJar: (any CookieJar)? {
        get { self[CookieJarKey.self] }
        set { self[CookieJarKey.self] = newValue }
    }
}
