// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// The parts of an attempt, each present only if the settings need it, and the function that runs them in order.
///
/// The order is: interceptors, stores, cookies and authorizers, limits, the transport. The response comes back the same
/// way.
final class AttemptStages: Sendable {
    /// `nil` without interceptors.
    let interceptors: InterceptorStage?
    /// `nil` without stores.
    let stores: StoreStage?
    /// `nil` without cookies and authorizers.
    let authorization: AuthorizationStage?
    /// `nil` without limits.
    let limits: LimitStage?
    let transmission: Transmission
    /// The user and the route of each request.
    let partitions: RequestPartitions
    let bandwidth: BandwidthStage
    let progress: ProgressReporting
    private let redirects: RedirectRule
    /// Whether the request goes directly to the transport.
    private let isPlain: Bool

    init(
        _ transport: any Transport,
        _ settings: SettingValues,
        _ limiters: SettingsSnapshot.Limiters,
        _ authorizers: Authorization,
        _ redirects: RedirectRule
    ) {
        transmission = Transmission(transport: transport, settings: settings)
        interceptors = InterceptorStage(settings)
        partitions = RequestPartitions(settings, transport, transmission, authorizers)
        stores = StoreStage(settings, transmission, partitions)
        authorization = AuthorizationStage(settings, authorizers, transmission)
        limits = LimitStage(limiters, partitions, on: transmission.clock)
        bandwidth = BandwidthStage(settings)
        progress = ProgressReporting(clock: transmission.clock)
        self.redirects = redirects
        isPlain =
            interceptors == nil && stores == nil && authorization == nil && limits == nil && !bandwidth.isOn
    }

    var clock: any RequestClock { transmission.clock }

    /// Makes one attempt.
    // Inlined, since each asynchronous function costs a request an allocation of the task and a jump back.
    @inline(__always)
    func attempt(_ context: AttemptContext, by approval: consuming SendApproval) async -> AttemptEnd {
        let request = context.request
        var sent: SentRequest?
        do {
            let response: TransportResponse
            if isPlain, context.call.observation == nil {
                response = try await transmission.send(plain(context), context.call, by: approval) { nil }
            } else if let interceptors, let note = context.note {
                response = try await intercepted(interceptors, context, noting: note, by: approval)
            } else {
                response = try await prepared(request, context, by: approval, noting: &sent)
            }
            return AttemptEnd(request, .success(response), sentAs: context.note?.request ?? sent)
        } catch {
            context.call.observation?.failed(error)
            return AttemptEnd(request, .failure(error), sentAs: context.note?.request ?? sent)
        }
    }

    /// The request of an attempt in which the settings have no part.
    private func plain(_ context: AttemptContext) -> Transmission.AuthorizedRequest {
        Transmission.AuthorizedRequest(
            request: context.request,
            shown: context.request,
            isDownload: context.options.use == .download,
            offersIdentity: !context.memory.redirects.haveLeft(context.request.origin),
            began: context.began
        )
    }

    /// Runs the interceptors, each of which may send several requests.
    private func intercepted(
        _ interceptors: InterceptorStage,
        _ context: AttemptContext,
        noting note: SentRequestNote,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        defer { note.isOver.store(true, ordering: .relaxed) }
        let request = context.request
        // The attempt's approval is for the first request only. Recovery must approve each further one.
        let approvals = Mutex<SendApproval?>(approval)
        let attempt = InterceptorChain { [self] changed in
            try note.check()
            guard changed.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: changed.origin)
            }
            try changed.checkFields(at: .interception)
            let hasLeft = context.memory.redirects.haveLeft(request.origin)
            let plain = hasLeft ? try redirects.harmless(changed, asked: request) : changed
            let again = note.request.map { plain.guarded(as: $0) } ?? plain
            var own = context
            let first = approvals.withLock { $0.take() }
            own.isRepeated = first == nil
            if first == nil {
                own.began = clock.moment
                if let before = note.number { context.call.record.close(before, at: clock.moment) }
            }
            let approval = try first ?? another(again)
            var sent: SentRequest?
            return try await prepared(again, own, by: approval, noting: &sent)
        }
        return try await interceptors.run(request, attempt: attempt)
    }

    /// Approves one more request of an interceptor.
    private func another(_ request: EncodedRequest) throws -> SendApproval {
        do {
            return try Recovery.another(request)
        } catch {
            throw Stage.describe(error, .transmission, .requestBody, request: request)
        }
    }

    /// Looks up a request in the stores, authorizes it, and sends it.
    ///
    /// `plain` is the request of the attempt as the interceptors left it; `sent` is set to the request that was sent.
    private func prepared(
        _ plain: EncodedRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval,
        noting sent: inout SentRequest?
    ) async throws -> TransportResponse {
        var own = SentRequest(plain)
        var stored: TransportResponse?
        let user = user(of: plain, context)
        if let stores, !context.options.isContinuation {
            (own, stored) = try await found(in: stores, plain, context)
        } else if let authorization {
            own = try await authorization.authorized(plain, context)
        }
        own.user = confirmed(user, of: plain, context)
        context.note?.begin(own)
        defer {
            if own.isRenewed { context.note?.begin(own) }
            sent = own
        }
        if let stored { return stored }
        do {
            let response = try await exchanged(&own, context, by: approval)
            context.note?.end(response.body.exchange)
            return response
        } catch {
            // Other calls may wait for this visit, and so may a later attempt of this call.
            own.visits?.failed()
            throw error
        }
    }

    /// Sends an authorized request once a rate limit and a limit of concurrent requests permit it, and passes the
    /// response back.
    ///
    /// While it holds a slot, nothing waits before the head arrives: slot and permit are released before the request is
    /// authorized again. Authorizers and stores then examine the response.
    private func exchanged(
        _ sent: inout SentRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        var admission = try await limits?.admit(sent.plain, context)
        do { try context.note?.check() } catch {
            admission?.permit?.giveBack()
            throw error
        }
        context.call.observation?.sending(sent.authorized)
        let sending = context.call.observation.map { _ in SendingReport.Latest() }
        // Errors show the request without its credentials.
        let response: TransportResponse
        let requestTime = sent.visits == nil ? nil : clock.moment
        do {
            response = try await transmission.send(
                outgoing(sent, context, sending),
                context.call,
                by: approval
            ) {
                guard let authorization, authorization.authorizers.hasSingleUseCredentials else { return nil }
                // An authorizer may wait, and send requests of its own.
                admission?.end()
                admission = nil
                try await renew(&sent, by: authorization, context)
                admission = try await limits?.readmit(sent.plain, context)
                try context.note?.check()
                return outgoing(sent, context, sending)
            }
        } catch {
            admission?.permit?.failed()
            throw error
        }
        admission?.permit?.received(response.head)
        let observed = context.call.observation?.responded(response, to: sending) ?? response
        var own = try authorization?.received(observed, sent, context) ?? observed
        if let slot = admission?.slot, let limits { own = limits.holding(slot, own, context) }
        guard let stores, let visits = sent.visits, let requestTime else { return own }
        let exchange = StoreExchange(
            request: sent.authorized,
            requestTime: requestTime.instant,
            responseTime: clock.now
        )
        return await tapped(await stores.received(own, visits, in: exchange, context.call), visits)
    }

    /// The request for the transport: its body is throttled, and counted for observers.
    private func outgoing(
        _ sent: SentRequest,
        _ context: AttemptContext,
        _ sending: SendingReport.Latest?
    ) -> Transmission.AuthorizedRequest {
        var request = sent.authorized
        if bandwidth.isOn || context.call.observation != nil {
            request = progress.counting(bandwidth.throttled(request), of: request.body, context.call, sending)
        }
        return Transmission.AuthorizedRequest(
            request: request,
            shown: sent.shown,
            isDownload: context.options.use == .download,
            offersIdentity: !context.memory.redirects.haveLeft(request.origin),
            began: context.began
        )
    }

    /// Authorizes the request again, since the server may have seen the credentials before.
    private func renew(
        _ sent: inout SentRequest,
        by authorization: AuthorizationStage,
        _ context: AttemptContext
    ) async throws {
        let (plain, visits, lookup) = (sent.plain, sent.visits, sent.lookup)
        let user = user(of: plain, context)
        sent = try await authorization.authorized(plain, context, notesUsers: lookup != nil)
        if let lookup, stores?.isCurrent(lookup, of: sent, after: context.memory.redirects) == false {
            // Another user has logged in. The response is not stored, and a read loses the conditions made for the user
            // before.
            visits?.failed()
            if plain.isReading, plain.headers != lookup.plain.headers {
                sent = try await authorization.authorized(lookup.plain, context)
            }
        } else {
            (sent.visits, sent.lookup) = (visits, lookup)
        }
        sent.user = confirmed(user, of: plain, context)
        sent.isRenewed = true
    }

    /// The user and the route of a request; `nil` if the attempt doesn't need them.
    func user(of plain: EncodedRequest, _ context: AttemptContext) -> StorePartition.Parts? {
        context.scope.map { partitions.partition(of: plain, after: context.memory.redirects, for: $0) }
    }

    /// The user for which a request was authorized; an unknown one if another user has logged in meanwhile.
    private func confirmed(
        _ user: StorePartition.Parts?,
        of plain: EncodedRequest,
        _ context: AttemptContext
    ) -> StorePartition.Parts? {
        guard let user, partitions.mayChange else { return user }
        return self.user(of: plain, context) == user ? user : user.unshared
    }
}

/// An interceptor or authorizer tried to send a request to another origin.
struct OriginChanged: Error, CustomStringConvertible {
    let from: Origin
    let to: Origin

    var description: String { "a hook may not change a request's origin from \(from) to \(to)" }
}

/// An interceptor called `next` after it had returned.
struct AttemptIsOver: Error, CustomStringConvertible {
    let description = "nothing was sent: an interceptor called `next` after the interceptor itself had returned"
}
