// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3e, authorized request -> head and unread body: passes the request and its deadlines to the transport.
final class Transmission: Sendable {
    let transport: any Transport
    let clock: any RequestClock
    private let fixtures: FixtureBook?
    private let timeout: Duration?
    private let connectTimeout: Duration?
    private let poolTimeout: Duration?
    private let responseTimeout: Duration?
    private let minimumRate: MinimumRate?
    let deadline: Duration?
    private let expectsContinue: Duration?
    private let httpVersion: HTTPVersion
    /// `nil` if all requests are direct.
    let proxies: ProxyPolicy?
    private let allowedAddresses: AddressPolicy

    init(transport: any Transport, settings: SettingValues) {
        self.transport = transport
        clock = settings.value(ClockKey.self)
        fixtures = FixtureBook(settings)
        timeout = settings.value(TimeoutKey.self)
        connectTimeout = settings.value(ConnectTimeoutKey.self)
        poolTimeout = settings.value(PoolTimeoutKey.self)
        responseTimeout = settings.value(ResponseTimeoutKey.self)
        minimumRate = settings.value(MinimumRateKey.self)
        deadline = settings.value(DeadlineKey.self)
        expectsContinue = settings.value(ExpectsContinueKey.self)
        httpVersion = settings.value(HTTPVersionKey.self)
        let policy = settings.value(ProxyKey.self)
        proxies = policy.isNone || transport.capabilities.ignoresProxies ? nil : policy
        allowedAddresses = settings.value(AllowedAddressesKey.self)
    }

    /// Makes one attempt; errors contain `shown`, and `fields` replace the request's own.
    func send(
        _ request: EncodedRequest,
        with fields: HTTPFields? = nil,
        shownAs shown: EncodedRequest,
        _ call: CallContext,
        isDownload: Bool,
        offersIdentity: Bool
    ) async throws -> TransportResponse {
        // An absolute target would make a server ignore `Host` (RFC 9112 section 3.2.2).
        guard request.target.utf8.first == UInt8(ascii: "/") || request.method == .options && request.target == "*"
        else {
            throw CumulusError(
                .invalidRequest,
                stage: .transmission,
                "the request's target does not start with a slash",
                request: shown
            )
        }
        // For repeated requests, by an interceptor for example: no server gets an empty body instead of a full one.
        guard request.body.canBeSent else {
            throw Stage.describe(BodyAlreadySent(), .transmission, .requestBody, request: shown)
        }
        var outgoing = TransportRequest(
            method: request.method,
            origin: request.origin,
            target: request.target,
            headers: fields ?? request.headers,
            body: request.body,
            deadlines: TransportDeadlines(
                poolWait: poolTimeout,
                connect: connectTimeout,
                response: responseTimeout,
                idle: timeout,
                minimumRate: minimumRate ?? (isDownload ? MinimumRate(bytesPerSecond: 1) : nil),
                end: call.end,
                whole: call.end == nil ? nil : deadline
            ),
            clock: clock
        )
        outgoing.listing = call.listing
        outgoing.offersIdentity = offersIdentity
        outgoing.expectsContinue = expectsContinue
        outgoing.httpVersion = httpVersion
        do {
            if let fixtures, let answer = try await fixtures.answer(outgoing) { return answer }
            if !allowedAddresses.isAny { try restrict(&outgoing) }
            if let proxies { outgoing.proxy = try proxy(of: proxies, for: outgoing.origin) }
            let answer = try await transport.send(outgoing)
            if let proxy = outgoing.proxy { try check(answer, to: outgoing, by: proxy) }
            return expectsContinue == nil ? answer : try await unasked(outgoing, after: answer)
        } catch {
            throw Stage.describe(error, .transmission, .transport, request: shown)
        }
    }

    /// Makes the transport check addresses against the policy; an address in the URL is checked here.
    private func restrict(_ request: inout TransportRequest) throws {
        if let refusal = allowedAddresses.refusal(of: request.origin) { throw TransportFailure.forbidden(refusal) }
        guard transport.capabilities.guardsAddresses else { throw TransportFailure.noAddressGuard(type(of: transport)) }
        request.allowedAddresses = allowedAddresses
    }

    /// The proxy for an origin, which the transport must support.
    private func proxy(of policy: ProxyPolicy, for origin: Origin) throws -> Proxy? {
        guard let proxy = try policy.proxy(for: origin) else { return nil }
        guard transport.capabilities.usesProxies else { throw TransportFailure.noProxies(proxy, type(of: transport)) }
        return proxy
    }

    /// Refuses a proxy's own 407 for a plain http request; with https, the proxy doesn't see the exchange.
    private func check(_ answer: TransportResponse, to request: TransportRequest, by proxy: Proxy) throws {
        guard answer.head.status == .proxyAuthenticationRequired, request.origin.scheme == .http,
            !proxy.scheme.isSOCKS
        else { return }
        answer.body.cancel()
        let refusal = ProxyRefusal(
            by: proxy,
            .credentials,
            schemes: AuthenticationChallenge.proxySchemes(in: answer.head.headers)
        )
        throw TransportFailure(
            .proxy,
            "the proxy \(proxy) refused the request to \(request.origin) with 407: \(refusal.explanation)",
            sent: .something,
            cause: refusal
        )
    }

    /// Sends the body without asking to a server that refuses the expectation (RFC 9110 section 15.5.18).
    ///
    /// Not a follow-up: the server has refused the expectation, not the request, so it is the same attempt without it.
    /// If the server let the body wait too long, some of it may have been sent: then only a replayable body is sent
    /// again.
    private func unasked(_ request: TransportRequest, after answer: TransportResponse) async throws -> TransportResponse
    {
        guard answer.head.status.code == 417, request.body.length != 0, request.body.canBeSent else { return answer }
        answer.body.cancel()
        var plain = request
        plain.expectsContinue = nil
        let second = try await transport.send(plain)
        if let proxy = plain.proxy { try check(second, to: plain, by: proxy) }
        return second
    }
}
