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
/// To share a jar among all requests of a tree, set it at the root: ``Resource/Settings/cookies``. Cookies are chosen
/// again for each attempt, so a redirect that sets a cookie is followed with it, and no cookie is sent to a host it
/// wasn't set for. A jar holds at most 180 cookies per site, and 3,000 in total; the least recently used cookie is
/// removed first, and a call's log reports the removal. A jar is in memory, unless it was created with a file:
/// ``init(file:keepsSessionCookies:clock:time:)``.
public final class CookieJar: Sendable {
    struct State: Sendable {
        var cookies = CookieStore()
        /// The file's cookies when it was last read or written.
        var saved = CookieStore()
        /// The file's mark; `nil` if the file has no mark, or does not exist yet.
        var mark: CookieFileMark?
        /// Its user for stores, unless another process recognizes it by the file's mark.
        var user = ObjectNumber.next()
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
    /// The changes that downloads' responses made to the cookies, for the parts of files.
    let downloadChanges = CookieChanges()
    /// The only origin whose requests use the jar; `nil` if cookies alone decide.
    private let origin: Origin?
    private let time: @Sendable () -> Date

    /// Creates an empty jar.
    ///
    /// - Parameter time: The clock for expirations.
    public convenience init(time: @escaping @Sendable () -> Date = { Date() }) {
        self.init(State(), file: nil, time: time)
    }

    init(_ state: State, file: CookieFile?, for origin: Origin? = nil, time: @escaping @Sendable () -> Date) {
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
    /// `nil` if the file has no mark, or if the jar has cookies that end with the process: then the next process may
    /// send the cookies of another user.
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

    /// Returns the cookies that a GET for a URL would send, in order.
    ///
    /// - Throws: ``RequestURL/Malformation``.
    public func cookies(for url: some Locator) throws -> [Cookie] {
        let url = try RequestURL(url.locatorText)
        let now = now
        let request = CookieStore.RequestFacts(
            url.origin,
            path: url.path[...],
            isConfidential: url.origin.isConfidential
        )
        return state.withLock { $0.cookies.cookies(for: request, now: now) }
    }

    /// Adds a cookie, replacing the one with the same name, domain and path.
    ///
    /// If the new cookie has expired, it only removes the old one.
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
    /// A cookie that another thread sets in the meantime stays, even if it replaces an unwanted one.
    public func remove(where isUnwanted: (Cookie) -> Bool) {
        let unwanted = cookies.filter(isUnwanted)
        state.withLock { $0.change { cookies in for cookie in unwanted { cookies.remove(unchanged: cookie) } } }
    }

    /// Removes all cookies; stored responses to requests with the jar are no longer used, since the next user may be a
    /// different one.
    public func removeAll() {
        state.withLock { state in
            state.cookies = CookieStore()
            state.beginUser()
        }
    }

    /// Sets the function that is called for each response that lost cookies to the limits.
    package func reportLosses(to report: @escaping LossReport) { state.withLock { $0.reportLoss = report } }

    private func isUsed(by request: EncodedRequest) -> Bool { origin.map { $0 == request.origin } ?? true }

    private func take(
        _ field: [UInt8],
        from origin: Origin,
        path: Substring,
        isConfidential: Bool
    ) throws(CookieRefusal) {
        let now = now
        let received = try ReceivedCookie(parsing: field)
        let cookie = try Cookie(received, from: origin, path: path, isConfidential: isConfidential, now: now)
        _ = try state.withLock { $0.take(cookie, isConfidential: isConfidential, now: now) }.get()
    }
}

extension CookieJar.State {
    /// Adds a received cookie; returns how many others were removed to stay within the limits.
    mutating func take(_ cookie: Cookie, isConfidential: Bool, now: Int64) -> Result<Int, CookieRefusal> {
        change { cookies in
            do throws(CookieRefusal) {
                return .success(try cookies.take(cookie, isConfidential: isConfidential, now: now))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension CookieJar {
    /// Adds the cookies that belong to a request, as each attempt of a call does.
    ///
    /// Use this method for requests that you send yourself.
    ///
    /// The cookies come after those in the request's own `Cookie` field, which take precedence by name.
    public func add(to request: inout EncodedRequest) { add(to: &request, after: [], by: request.proxies) }

    /// Adds cookies after a call's redirects, some of which may be from another site, by its proxies (`nil`: none).
    ///
    /// The host is that of the origin: a `Host` field is ignored here.
    func add(to request: inout EncodedRequest, after redirects: [Response.Redirect], by proxies: ProxyPolicy?) {
        guard isUsed(by: request) else { return }
        let field = CookieField(of: request, after: redirects, by: proxies, now: now)
        guard let value = state.withLock({ field.value(in: &$0.cookies) }) else { return }
        request.headers[fields: .cookie] = [HTTPField(name: .cookie, value: value)]
    }

    /// Stores the cookies that a response sets, as each attempt of a call does; refused cookies are ignored.
    public func keep(_ head: ResponseHead, of request: EncodedRequest) {
        keep(head, of: request, after: [], by: request.proxies)
    }

    /// Receives the `Cookie` field that a request would have had before and after a response, while the jar is locked,
    /// so that changes are received in their order.
    typealias ChangeReport = (_ before: [UInt8]?, _ after: [UInt8]?) -> Void

    /// Stores the cookies of a response after a call's redirects, by the call's proxies (`nil`: none).
    ///
    /// - Returns: How many cookies the limits cost: of the response, and of those that were stored before.
    @discardableResult
    func keep(
        _ head: ResponseHead,
        of request: EncodedRequest,
        after redirects: [Response.Redirect],
        by proxies: ProxyPolicy?,
        reportingTo report: ChangeReport = { _, _ in }
    ) -> Int {
        guard head.headers.contains(.setCookie), isUsed(by: request) else { return 0 }
        let field = CookieField(of: request, after: redirects, by: proxies, now: now)
        var (received, dropped) = received(
            head,
            of: request,
            isConfidential: field.facts.isConfidential,
            now: field.now
        )
        // A login may replace the value of a session's cookie, also in the response to the request after its redirect.
        let isSafe = request.isSafe && redirects.allSatisfy(\.request.isSafe)
        state.withLock { state in
            let before = field.value(in: &state.cookies) ?? field.ownValue
            var isChanged = false
            for cookie in received {
                guard
                    case .success(let count) = state.take(
                        cookie,
                        isConfidential: field.facts.isConfidential,
                        now: field.now
                    )
                else { continue }
                dropped += count
                isChanged = true
            }
            if isChanged, !isSafe { state.beginUser() }
            report(before, field.value(in: &state.cookies) ?? field.ownValue)
        }
        if dropped > 0 { state.withLock(\.reportLoss)?(dropped, request) }
        return dropped
    }

    /// The well-formed cookies of a response, and how many are lost because they are too long or too many.
    private func received(
        _ head: ResponseHead,
        of request: EncodedRequest,
        isConfidential: Bool,
        now: Int64
    ) -> (cookies: [Cookie], dropped: Int) {
        var (cookies, count, dropped) = ([Cookie](), 0, 0)
        for field in head.headers where field.name == .setCookie {
            count += 1
            if count > CookieSyntax.mostOfResponse {
                dropped += 1
                continue
            }
            do throws(CookieRefusal) {
                let received = try ReceivedCookie(parsing: field.withUnsafeBytesOfValue(Array.init))
                let path = request.target.before("?")
                cookies.append(
                    try Cookie(received, from: request.origin, path: path, isConfidential: isConfidential, now: now)
                )
            } catch {
                // A refused cookie is not the request's fault.
                if error == .tooLong { dropped += 1 }
            }
        }
        return (cookies, dropped)
    }
}

/// The `Cookie` field of a request: its own cookies, and those of a jar with other names.
private struct CookieField {
    let facts: CookieStore.RequestFacts
    let now: Int64
    private var own: [UInt8] = []
    /// The names of its own cookies.
    private var names: [ArraySlice<UInt8>] = []

    init(of request: EncodedRequest, after redirects: [Response.Redirect], by proxies: ProxyPolicy?, now: Int64) {
        let isConfidential = (proxies ?? .none).isConfidential(to: request.origin)
        let path = request.target.before("?")
        var facts = CookieStore.RequestFacts(request.origin, path: path, isConfidential: isConfidential)
        facts.isSafe = request.isSafe
        if !redirects.isEmpty {
            facts.isCrossSite = redirects.contains { !CookieDomain.areOneSite($0.request.origin, request.origin) }
        }
        (self.facts, self.now) = (facts, now)
        let fields = request.headers[fields: .cookie]
        guard !fields.isEmpty else { return }
        for field in fields {
            if !own.isEmpty { own += Array("; ".utf8) }
            field.withUnsafeBytesOfValue { own += $0 }
        }
        names = own.split(separator: UInt8(ascii: ";")).map { pair in
            CookieSyntax.trimmed(pair.prefix { $0 != UInt8(ascii: "=") })
        }
    }

    /// The value without the jar's cookies; `nil` without any.
    var ownValue: [UInt8]? { own.isEmpty ? nil : own }

    /// The value; `nil` if the jar adds nothing.
    func value(in cookies: inout CookieStore) -> [UInt8]? {
        guard let added = cookies.field(for: facts, now: now, besides: names) else { return nil }
        return own.isEmpty ? added : own + Array("; ".utf8) + added
    }
}

extension CookieStore.RequestFacts {
    init(_ origin: Origin, path: Substring, isConfidential: Bool) {
        self.init(host: CookieDomain.canonical(origin.host), path: path, isConfidential: isConfidential)
    }
}

extension EncodedRequest {
    /// Whether its method is safe (RFC 9110 section 9.2.1).
    fileprivate var isSafe: Bool { [.get, .head, .options, .query].contains(method) }

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
    /// Default: `nil`: cookies are neither stored nor sent, except for your own `Cookie` header. Set `nil` to turn off
    /// an inherited jar.
    public var cookies: CookieJar? {
        get { self[key: CookiesKey.self] }
        set { self[key: CookiesKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/cookies``.
enum CookiesKey: SettingKey {
    /// None.
    static var defaultValue: CookieJar? { nil }

    /// True: a jar sends each host only the cookies for that host.
    static var crossesOrigins: Bool { true }
}
