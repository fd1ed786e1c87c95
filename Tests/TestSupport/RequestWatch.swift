// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

@testable package import CumulusCore

/// What one call has passed to its transport, judged by what passes alone; no I/O.
///
/// It knows neither the recovery engine nor its rules, and counts for itself.
package struct RequestWatch {
    /// What a test allows on purpose.
    package struct Permissions: Sendable {
        /// Whether a rule of the test's own repeats requests that aren't idempotent.
        package var repeats = false
        /// Whether an authorizer serves other origins, too.
        package var sharesCredentials = false

        package init(repeats: Bool = false, sharesCredentials: Bool = false) {
            (self.repeats, self.sharesCredentials) = (repeats, sharesCredentials)
        }
    }

    /// How an exchange ended.
    package enum End {
        case response(HTTPResponse.Status)
        /// By a response that says that the server has not taken the request: 429, or 503 or 403 with a time.
        case refusal
        case failed(TransportFailure)
        /// By an error that no transport throws.
        case other
    }

    /// Requests that are one another's repetitions, and follow one another.
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let origin: Origin
        let target: String
        let range: String?
    }

    private struct Exchange {
        var repetitions = 0
        var end: End?
    }

    private var home: Origin?
    private var credentials: Set<String> = []
    private var exchanges: [Key: Exchange] = [:]
    /// Whether an interceptor has sent a request of its own, which knows what it does.
    private var hasInterceptors = false
    /// Whether a server may have a request of this call that got no response.
    private var mayHaveArrived = false
    private var hadResponse = false
    private let permissions: Permissions

    package init(_ permissions: Permissions = Permissions()) { self.permissions = permissions }

    /// Notes that a request is sent; returns the rule that this breaks.
    package mutating func begin(_ request: TransportRequest) -> String? {
        let reason = request.reason
        if reason == .interceptor { hasInterceptors = true }
        let violation = credentialsElsewhere(request) ?? blindRepetition(request) ?? repetitions(request)
        switch reason {
        case .redirect, .challenge: (mayHaveArrived, hadResponse) = (false, false)
        default: break
        }
        exchanges[key(request), default: Exchange()].end = nil
        return violation
    }

    /// Notes how an exchange has ended; returns the rule that this breaks.
    package mutating func end(_ request: TransportRequest, _ end: End, isLate: Bool, isCancelled: Bool) -> String? {
        exchanges[key(request)]?.end = end
        switch end {
        case .response(let status):
            // The server refused these without a look at what they ask for; a 408 may be about work that was begun.
            if status.code == 408 { mayHaveArrived = true }
            if ![408, 417, 421].contains(status.code) { hadResponse = true }
            if isLate { return "nothing is sent after the deadline" }
            if isCancelled { return "nothing is sent after a cancellation" }
        case .refusal:
            if isLate { return "nothing is sent after the deadline" }
            if isCancelled { return "nothing is sent after a cancellation" }
        case .failed(let failure): if failure.fate == .unknown { mayHaveArrived = true }
        case .other: mayHaveArrived = true
        }
        return nil
    }

    private func key(_ request: TransportRequest) -> Key {
        Key(
            method: request.method,
            origin: request.origin,
            target: request.target,
            range: request.headers[.range]
        )
    }

    // MARK: What must never happen

    private func blindRepetition(_ request: TransportRequest) -> String? {
        let isSafe = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"].contains(request.method.rawValue)
        guard !isSafe, request.headers.idempotencyKey == nil else { return nil }
        let words = "a request that isn't idempotent and has no key is never sent again after an unknown fate"
        switch request.reason {
        case .staleConnection, .unprocessed, .expectation, .misdirected, .requestTimeout:
            return switch exchanges[key(request)]?.end {
            case .failed(let failure): failure.fate == .unknown ? words : nil
            case .response(let status): status.code == 408 ? words : nil
            case .refusal: nil
            case .other, nil: words
            }
        // An interceptor that sends again, and a rule of the test's own, know what they do.
        case _ where permissions.repeats || hasInterceptors: return nil
        case .retry: return mayHaveArrived || hadResponse ? words : nil
        case .call, .resume: return mayHaveArrived ? words : nil
        default: return nil
        }
    }

    private mutating func repetitions(_ request: TransportRequest) -> String? {
        let key = key(request)
        switch request.reason {
        case .staleConnection, .unprocessed, .expectation, .misdirected, .requestTimeout: break
        default:
            exchanges[key] = Exchange()
            return nil
        }
        if case .failed(let failure) = exchanges[key]?.end, failure.fate == .unprocessed, failure.connectionHadServed {
            return nil
        }
        exchanges[key, default: Exchange()].repetitions += 1
        let isTooOften = !hasInterceptors && exchanges[key, default: Exchange()].repetitions > 3
        return isTooOften ? "within an attempt a request is sent again at most three times" : nil
    }

    private mutating func credentialsElsewhere(_ request: TransportRequest) -> String? {
        let own = [HTTPField.Name.authorization, .proxyAuthorization, .cookie].compactMap { request.headers[$0] }
        if request.reason == .call || home == nil { home = request.origin }
        if request.origin == home {
            credentials.formUnion(own)
            return nil
        }
        let words = "another origin gets no more than the harmless fields after a redirect"
        if request.offersIdentity { return words }
        if !permissions.sharesCredentials, !credentials.isDisjoint(with: own) { return words }
        var fields = request.headers
        for name in [HTTPField.Name.authorization, .proxyAuthorization, .cookie] { fields[name] = nil }
        return fields.count == fields.harmless.count ? nil : words
    }
}
