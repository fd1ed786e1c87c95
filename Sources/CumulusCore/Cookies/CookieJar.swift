// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores the cookies that servers set, and adds them to the requests they belong to (RFC 6265bis).
///
/// Set one at the root of a tree to share it among all its requests: ``Resource/Settings/cookies``. Cookies are chosen
/// again for each attempt, so a redirect that sets a cookie is followed with it, and no cookie is sent to a host that
/// it isn't for. A jar has at most 180 cookies per site, and 3,000 in total; the least recently used is removed
/// first, and a call's log reports it. It is in memory, unless it was made with a file: ``init(file:keepsSessionCookies:clock:time:)``.
public final class CookieJar: Sendable {
    struct State: Sendable {
        var cookies = CookieStore()
        /// The file's cookies when it was last read or written.
        var saved = CookieStore()
        /// The file's mark; `nil` if it has none, or does not exist yet.
        var mark: CookieFileMark?
        /// Its user for stores, unless another process recognizes it by the file's mark.
        var user = ObjectNumber.next()
        /// The user when the file was last read or written.
        var savedUser: UInt64?
        /// Receives the number of cookies that a response lost to the limits.
        var reportLoss: LossReport?

        /// Changes the cookies.
        ///
        /// If one is added or removed, another user may have logged in or out.
        mutating func change<Value>(_ body: (inout CookieStore) -> Value) -> Value {
            let before = cookies.changes
            let value = body(&cookies)
            if cookies.changes != before { beginUser() }
            return value
        }

        /// Begins another user: stored responses to requests with the jar are not used any more.
        mutating func beginUser() { (mark, user) = (nil, ObjectNumber.next()) }
    }

    /// Receives the number of cookies that the limits cost, and the request whose response set too many or too long
    /// ones.
    package typealias LossReport = @Sendable (_ count: Int, _ request: EncodedRequest) -> Void

    let state: Mutex<State>
    let file: CookieFile?
    /// Its identity for the memory of revisions.
    let number = ObjectNumber.next()
    /// The only origin whose requests use the jar; `nil` if cookies alone decide.
    private let origin: Origin?
    private let time: @Sendable () -> Date

    /// Makes an empty jar.
    ///
    /// - Parameter time: The clock for expirations.
    public convenience init(time: @escaping @Sendable () -> Date = { Date() }) {
        self.init(State(), file: nil, time: time)
    }

    init(_ state: State, file: CookieFile?, for origin: Origin? = nil, time: @escaping @Sendable () -> Date) {
        var state = state
        state.savedUser = state.user
        self.state = Mutex(state)
        self.file = file
        self.origin = origin
        self.time = time
    }

    var now: Int64 { HTTPDate(time()).secondsSince1970 }

    /// Whether it has no cookies, not even expired ones.
    var isEmpty: Bool { state.withLock { $0.cookies.count == 0 } }

    /// Its user for stores in this process.
    var user: UInt64 { state.withLock(\.user) }

    /// Its identity for stores in this and other processes: the file's path and mark.
    ///
    /// `nil` if the file has no mark, or if the jar has cookies that end with the process: then the next process may send
    /// the cookies of another user.
    var lastingIdentity: [String]? {
        guard let file, let place = file.place else { return nil }
        return state.withLock { state in
            guard let mark = state.mark, file.keepsSession || state.cookies.sessionCount == 0 else { return nil }
            return [place, mark.text]
        }
    }

    /// All cookies that have not expired.
    public var cookies: [Cookie] {
        let now = now
        return state.withLock { $0.cookies.cookies(now: now) }
    }

    /// The cookies that a GET for a URL would get, in the order they are sent.
    ///
    /// - Throws: ``RequestURL/Malformation``.
    public func cookies(for url: some Locator) throws -> [Cookie] {
        let url = try RequestURL(url.locatorText)
        let now = now
        let wish = CookieStore.Wish(url.origin, path: url.path[...], isConfidential: url.origin.isConfidential)
        return state.withLock { $0.cookies.cookies(for: wish, now: now) }
    }

    /// Adds a cookie, replacing one with the same name, domain and path; an expired cookie removes that one.
    public func set(_ cookie: Cookie) {
        let now = now
        // A cookie made in code is not checked against others, so nothing is refused here.
        _ = state.withLock { $0.change { try? $0.take(cookie, isConfidential: true, now: now) } }
    }

    /// Applies a `Set-Cookie` field, as if a server had sent it.
    ///
    /// - Parameters:
    ///   - field: The field's value, such as `sid=1; Secure; Path=/`.
    ///   - url: The URL of the response with the field.
    /// - Throws: ``CookieRefusal``; ``RequestURL/Malformation``.
    public func set(_ field: String, from url: some Locator) throws {
        let url = try RequestURL(url.locatorText)
        try take(
            Array(field.utf8),
            from: url.origin,
            path: url.path[...],
            isConfidential: url.origin.isConfidential
        )
    }

    /// Removes the cookies that satisfy a predicate.
    ///
    /// A cookie that another thread sets meanwhile stays, even in the place of an unwanted one.
    public func remove(where isUnwanted: (Cookie) -> Bool) {
        let unwanted = cookies.filter(isUnwanted)
        state.withLock { $0.change { cookies in for cookie in unwanted { cookies.remove(unchanged: cookie) } } }
    }

    /// Removes all cookies; stored responses to requests with the jar are not used any more, since another user may follow.
    public func removeAll() {
        state.withLock { state in
            state.cookies = CookieStore()
            state.beginUser()
        }
    }

    /// Sets the function that is called for each response that lost cookies to the limits.
    package func reportLosses(to report: @escaping LossReport) { state.withLock { $0.reportLoss = report } }

    private func isUsed(by request: EncodedRequest) -> Bool { origin.map { $0 == request.origin } ?? true }

    /// Takes a received cookie; returns how many others were removed to stay within the limits.
    @discardableResult
    private func take(
        _ field: [UInt8],
        from origin: Origin,
        path: Substring,
        isConfidential: Bool
    ) throws(CookieRefusal) -> Int {
        let now = now
        let received = try ReceivedCookie(parsing: field)
        let cookie = try Cookie(received, from: origin, path: path, isConfidential: isConfidential, now: now)
        let result = state.withLock { state in
            state.change { cookies -> Result<Int, CookieRefusal> in
                do throws(CookieRefusal) {
                    return .success(try cookies.take(cookie, isConfidential: isConfidential, now: now))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}

extension CookieJar {
    /// Adds the cookies that belong to a request, as each attempt of a call does; use it for requests that you send
    /// yourself.
    ///
    /// They come after those in the request's own `Cookie` field, which take precedence by name.
    public func add(to request: inout EncodedRequest) { add(to: &request, after: [], by: request.proxies) }

    /// Adds cookies, given a call's proxies (`nil`: none) and its redirects, some of which may be from another site.
    ///
    /// The host is that of the origin: a `Host` field is ignored here.
    func add(to request: inout EncodedRequest, after redirects: [Response.Hop], by proxies: ProxyPolicy?) {
        guard isUsed(by: request) else { return }
        let isConfidential = (proxies ?? .none).isConfidential(to: request.origin)
        var wish = CookieStore.Wish(request.origin, path: request.target.before("?"), isConfidential: isConfidential)
        wish.isSafe = request.isSafe
        if !redirects.isEmpty {
            wish.isCrossSite = redirects.contains { !CookieDomain.areOneSite($0.request.origin, request.origin) }
        }
        let now = now
        let own = request.headers[fields: .cookie]
        guard !own.isEmpty else {
            if let field = state.withLock({ $0.cookies.field(for: wish, now: now) }) {
                request.headers.append(HTTPField(name: .cookie, value: field))
            }
            return
        }
        var field: [UInt8] = []
        for one in own {
            if !field.isEmpty { field += Array("; ".utf8) }
            one.withUnsafeBytesOfValue { field += $0 }
        }
        let names = field.split(separator: UInt8(ascii: ";")).map { pair in
            CookieSyntax.trimmed(pair.prefix { $0 != UInt8(ascii: "=") })
        }
        guard let more = state.withLock({ $0.cookies.field(for: wish, now: now, besides: names) }) else { return }
        request.headers[fields: .cookie] = [HTTPField(name: .cookie, value: field + Array("; ".utf8) + more)]
    }

    /// Stores the cookies that a response sets, as each attempt of a call does; refused ones are ignored.
    public func keep(_ head: ResponseHead, of request: EncodedRequest) {
        keep(head, of: request, after: [], by: request.proxies)
    }

    /// Stores the cookies of a response after a call's redirects, by the call's proxies (`nil`: none).
    ///
    /// - Returns: How many cookies the limits cost: of the response, and of those that were stored before.
    @discardableResult
    func keep(
        _ head: ResponseHead,
        of request: EncodedRequest,
        after redirects: [Response.Hop],
        by proxies: ProxyPolicy?
    ) -> Int {
        guard head.headers.contains(.setCookie), isUsed(by: request) else { return 0 }
        let isConfidential = (proxies ?? .none).isConfidential(to: request.origin)
        var (count, accepted, dropped) = (0, 0, 0)
        for field in head.headers where field.name == .setCookie {
            count += 1
            if count > CookieSyntax.mostOfResponse {
                dropped += 1
                continue
            }
            do throws(CookieRefusal) {
                dropped += try take(
                    field.withUnsafeBytesOfValue(Array.init),
                    from: request.origin,
                    path: request.target.before("?"),
                    isConfidential: isConfidential
                )
                accepted += 1
            } catch {
                // A refused cookie is not the request's fault.
                if error == .tooLong { dropped += 1 }
            }
        }
        // A login may replace the value of a session's cookie, also where a redirect leads after it.
        let isSafe = request.isSafe && redirects.allSatisfy(\.request.isSafe)
        if accepted > 0, !isSafe { state.withLock { $0.beginUser() } }
        if dropped > 0 { state.withLock(\.reportLoss)?(dropped, request) }
        return dropped
    }
}

extension CookieStore.Wish {
    init(_ origin: Origin, path: Substring, isConfidential: Bool) {
        self.init(host: CookieDomain.canonical(origin.host), path: path, isConfidential: isConfidential)
    }
}

extension EncodedRequest {
    /// Whether its method is safe (RFC 9110 section 9.2.1), among those that browsers send.
    fileprivate var isSafe: Bool { method == .get || method == .head || method == .options }

    /// The proxies of its resource.
    fileprivate var proxies: ProxyPolicy? { resource?.proxy }
}

extension CookieJar: Redacted {
    /// The number of cookies.
    public var description: String {
        let count = state.withLock(\.cookies.count)
        return count == 1 ? "1 cookie" : "\(count) cookies"
    }
}

extension Resource.Settings {
    /// The jar that stores and sends cookies; a child's replaces its parent's.
    ///
    /// Default: `nil`, with which cookies are neither stored nor sent, except for your own `Cookie` header. Set `nil`
    /// to turn off an inherited jar.
    public var cookies: CookieJar? {
        get { self[key: CookiesKey.self] }
        set { self[key: CookiesKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/cookies``.
enum CookiesKey: SettingKey {
    /// None.
    static var defaultValue: CookieJar? { nil }

    /// A jar gives each host its own cookies.
    static var crossesOrigins: Bool { true }
}
