// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Passes an authorized request and its deadlines to the transport, and returns the head and the unread body.
final class Transmission: Sendable {
    private let transport: RecordedTransport
    let clock: any RequestClock
    /// The deadlines of a request in a call without a deadline.
    private let deadlines: Shared<TransportDeadlines>
    /// The deadline of the whole call.
    let deadline: Duration?
    private let expectsContinue: Duration?
    private let httpVersion: HTTPVersion
    /// Whether a request may be sent again within an attempt.
    private let repeatsWithinAttempts: Bool
    /// `nil` if all requests are direct.
    let proxies: ProxyPolicy?
    let allowedAddresses: AddressPolicy

    init(transport: any Transport, settings: SettingValues) {
        self.transport = RecordedTransport(transport)
        clock = settings.value(ClockKey.self)
        deadlines = Shared(
            TransportDeadlines(
                poolWait: settings.value(PoolTimeoutKey.self),
                connect: settings.value(ConnectTimeoutKey.self),
                idle: settings.value(TimeoutKey.self),
                minimumRate: settings.value(MinimumRateKey.self),
                response: settings.value(ResponseTimeoutKey.self)
            )
        )
        deadline = settings.value(DeadlineKey.self)
        expectsContinue = settings.value(ExpectsContinueKey.self)
        httpVersion = settings.value(HTTPVersionKey.self)
        repeatsWithinAttempts = settings.value(RetryKey.self)?.repeatsWithinAttempts == true
        let policy = settings.value(ProxyKey.self)
        proxies = policy.isNone || transport.capabilities.ignoresProxies ? nil : policy
        allowedAddresses = settings.value(AllowedAddressesKey.self)
    }

    var capabilities: TransportCapabilities { transport.capabilities }

    /// The maximum time until a response's head arrives; `nil` for no limit.
    var longestWait: Duration? { [deadlines.value.response, deadlines.value.idle].compactMap(\.self).min() }

    /// A request with its credentials, and the request as errors show it.
    struct AuthorizedRequest {
        let request: EncodedRequest
        let shown: EncodedRequest
        let isDownload: Bool
        let offersIdentity: Bool
        /// The moment when the attempt began; `nil` for the start of the call.
        let began: Moment?
    }

    /// Makes the exchanges of one attempt: one, and further ones of the same request if ``WireRecovery`` approves them.
    ///
    /// This is the only place where requests leave the library: no other code has a transport that takes approvals.
    ///
    /// `renew` authorizes the request again before a repetition; if it returns `nil`, the credentials stay. An error has
    /// the number of the exchange that failed.
    func send(
        _ first: AuthorizedRequest,
        _ call: CallContext,
        by approval: consuming SendApproval,
        renew: () async throws -> AuthorizedRequest?
    ) async throws -> TransportResponse {
        var sent = first
        var approval = approval
        var position = Position(reason: approval.reason, began: first.began)
        do {
            var outgoing = try outgoing(sent, call)
            outgoing.reason = approval.reason
            var recovery = WireRecovery()
            while true {
                let exchange = call.record.begin(position.reason, sent.shown, from: position.began)
                position.number = exchange.number
                (outgoing.resendCount, outgoing.encodedRequest) = (exchange.resends, exchange.request)
                let end: ExchangeOutcome
                do {
                    let response = try await transport.send(outgoing, exchange, call, by: approval)
                    if let proxy = outgoing.proxy, let refusal = refusal(of: response, to: outgoing, by: proxy) {
                        let described = CumulusError(refusal, stage: .transmission, request: sent.shown)
                        call.record.breakOff(exchange.number, described, at: clock.moment)
                        throw refusal
                    }
                    guard repeatsWithinAttempts, WireRecovery.concerns(response.head.status) else { return response }
                    end = .responded(response)
                } catch let failure as TransportFailure {
                    end = .failed(failure)
                }
                guard repeatsWithinAttempts, let next = recovery.next(after: end, of: outgoing) else {
                    return try end.get()
                }
                try call.check()
                approval = next
                position.reason = approval.reason
                position.isRepeated = true
                position.began = self.end(end, of: exchange, call, then: approval.reason)
                if approval.entry == .authorization {
                    position.number = nil
                    if let renewed = try await renew() {
                        sent = renewed
                        outgoing = try self.outgoing(sent, call)
                    }
                }
                approval.change(&outgoing)
                call.observation?.sending(sent.shown.authorized(by: outgoing))
            }
        } catch {
            throw failure(error, of: sent.shown, at: position, call)
        }
    }

    /// The exchange of an attempt that is being sent or prepared.
    private struct Position {
        var reason: AttemptRecord.Reason
        /// `nil` for the start of the call.
        var began: Moment?
        /// The number of the last exchange that has begun; `nil` while another one is prepared.
        var number: Int?
        var isRepeated = false
    }

    /// The error of an attempt, with the number of its entry in the call's record.
    private func failure(
        _ error: any Error,
        of request: EncodedRequest,
        at position: Position,
        _ call: CallContext
    ) -> any Error {
        let failure = position.isRepeated ? call.overdue(error, on: clock, request) : error
        let described = Stage.describe(failure, .transmission, .transport, request: request)
        guard var described = described as? CumulusError else { return described }
        if let number = position.number {
            described.exchange = number
            // The deadline has ended it.
            if error is CancellationError { call.record.breakOff(number, described, at: clock.moment) }
        } else if position.isRepeated {
            described.exchange = call.record.add(position.reason, request, .failed(described), from: position.began)
        }
        return described
    }

    /// The request for the transport.
    private func outgoing(_ sent: AuthorizedRequest, _ call: CallContext) throws -> TransportRequest {
        let request = sent.request
        // An absolute target would make a server ignore `Host` (RFC 9112 section 3.2.2).
        guard request.target.utf8.first == UInt8(ascii: "/") || request.method == .options && request.target == "*"
        else {
            let message = "the request's target does not start with a slash"
            throw CumulusError(.invalidRequest, stage: .transmission, message, request: sent.shown)
        }
        if case .stream(let body) = request.body { try checkStream(body, of: sent) }
        var outgoing = TransportRequest(request, deadlines(of: sent, in: call), on: clock)
        outgoing.listing = call.listing
        outgoing.offersIdentity = sent.offersIdentity
        outgoing.expectsContinue = expectsContinue ?? outgoing.typedExpectation
        outgoing.httpVersion = httpVersion
        if !allowedAddresses.isAny { try restrict(&outgoing) }
        if let proxies { outgoing.proxy = try proxy(of: proxies, for: outgoing.origin) }
        return outgoing
    }

    /// Refuses a stream that was started before, or that has trailers which the transport would omit.
    private func checkStream(_ body: StreamBody, of sent: AuthorizedRequest) throws {
        // Interceptors, for example, may repeat a request. A server must not get an empty body instead of a full one.
        guard body.canBeSent else {
            throw Stage.describe(BodyAlreadySent(), .transmission, .requestBody, request: sent.shown)
        }
        guard body.trailers == nil || capabilities.sendsTrailers else {
            throw TransportFailure(.unsupported, "\(transport.kind) can't send trailers; use NIOTransport")
        }
    }

    /// The deadlines of a request; they are shared unless the call has its own end, or a download needs a minimum rate.
    private func deadlines(of sent: AuthorizedRequest, in call: CallContext) -> Shared<TransportDeadlines> {
        var own = deadlines
        if sent.isDownload, own.value.minimumRate == nil {
            own.value.minimumRate = MinimumRate(bytesPerSecond: 1)
        }
        if let end = call.end { (own.value.end, own.value.whole) = (end, deadline) }
        return own
    }

    /// Ends an exchange that another one follows, and returns the moment of its end.
    private func end(
        _ end: ExchangeOutcome,
        of exchange: CallRecord.Beginning,
        _ call: CallContext,
        then reason: AttemptRecord.Reason
    ) -> Moment {
        let outcome = end.outcome(of: exchange.request)
        var response: TransportResponse?
        if case .responded(let own) = end { response = own }
        response?.body.cancel()
        let now = clock.moment
        call.record.close(exchange.number, at: now, for: reason)
        // Each repetition of a request that may have arrived is charged to the budget.
        if outcome.mayHaveTakenEffect || reason == .requestTimeout { call.listing?.noteRepetition() }
        if let observation = call.observation {
            observation.ended(outcome, response?.head)
            observation.tell(.again(reason, exchange.request, after: .zero))
        }
        return now
    }

    /// Refuses a request whose URL has an address that the policy forbids, before stores are searched for a response to
    /// it.
    ///
    /// - Throws: ``CumulusError``, as if the transport had refused it.
    func checkAddress(of request: EncodedRequest) throws {
        guard let refusal = allowedAddresses.refusal(of: request.origin) else { return }
        throw Stage.describe(TransportFailure.forbidden(refusal), .transmission, .transport, request: request)
    }

    /// Makes the transport check addresses against the policy; an address in the URL is checked here.
    private func restrict(_ request: inout TransportRequest) throws {
        if let refusal = allowedAddresses.refusal(of: request.origin) { throw TransportFailure.forbidden(refusal) }
        guard capabilities.guardsAddresses else { throw TransportFailure.noAddressGuard(transport.kind) }
        request.allowedAddresses = allowedAddresses
    }

    /// The proxy for an origin, which the transport must support.
    private func proxy(of policy: ProxyPolicy, for origin: Origin) throws -> Proxy? {
        guard let proxy = try policy.proxy(for: origin) else { return nil }
        guard capabilities.usesProxies else { throw TransportFailure.noProxies(proxy, transport.kind) }
        return proxy
    }

    /// The refusal by a proxy that responds to a plain http request with 407.
    ///
    /// With https, the proxy doesn't see the exchange.
    private func refusal(
        of response: TransportResponse,
        to request: TransportRequest,
        by proxy: Proxy
    ) -> TransportFailure? {
        guard response.head.status == .proxyAuthenticationRequired, request.origin.scheme == .http,
            !proxy.scheme.isSOCKS
        else { return nil }
        response.body.cancel()
        let refusal = ProxyRefusal(
            by: proxy,
            .credentials,
            schemes: AuthenticationChallenge.proxySchemes(in: response.head.headers)
        )
        return TransportFailure(
            .proxy,
            "the proxy \(proxy) refused the request to \(request.origin) with 407: \(refusal.explanation)",
            fate: .unknown,
            cause: refusal
        )
    }
}

/// A transport that sends a request only with an approval, and records each exchange.
private struct RecordedTransport: Sendable {
    private let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }

    var capabilities: TransportCapabilities { transport.capabilities }
    var kind: any Transport.Type { type(of: transport) }

    /// Sends a request, and consumes the approval.
    func send(
        _ request: TransportRequest,
        _ exchange: CallRecord.Beginning,
        _ call: CallContext,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        do {
            let response = try await transport.send(request)
            call.record.end(exchange, .responded(response.head.status), at: nil)
            let body = response.body.belonging(to: exchange.number)
            return body === response.body ? response : TransportResponse(head: response.head, body: body)
        } catch {
            let described = Stage.describe(error, .transmission, .transport, request: exchange.request)
            call.record.end(exchange, .failed(described), at: request.clock.moment)
            throw error
        }
    }
}

extension TransportRequest {
    /// The time for which a body waits for permission if only the header field requests it.
    fileprivate var typedExpectation: Duration? {
        guard body.length != 0, headers[.expect]?.lowercased() == "100-continue" else { return nil }
        return .seconds(1)
    }
}

extension EncodedRequest {
    /// The request with the credentials of the outgoing one.
    fileprivate func authorized(by outgoing: TransportRequest) -> EncodedRequest {
        var authorized = self
        authorized.headers = outgoing.headers
        authorized.target = outgoing.target
        return authorized
    }
}
