// SPDX-License-Identifier: Apache-2.0

/// The data of its call that an attempt needs.
struct AttemptContext: Sendable {
    /// The attempt's request, as its interceptors receive it.
    let request: EncodedRequest
    let call: CallContext
    var options: SendOptions
    /// Whether an interceptor has already sent a request in this attempt.
    ///
    /// A store must not wait for that request.
    var isRepeated = false
    /// Recovery's memory of the attempts before it.
    let memory: Recovery.Memory
    /// The reason for the attempt.
    let reason: AttemptRecord.Reason
    /// The responses that hooks hold, whose slots are free in the meantime; `nil` if no hook can hold one.
    var held: HeldResponses?
    /// The moment when it began; `nil` for the start of the call.
    var began: Moment?
    /// The number of its first exchange in the call's record.
    var first = 1
    /// The number of the exchange that ended it.
    var number = 0
    /// How long the user and the route of its response are compared with those of others; `nil` if they aren't needed.
    var scope: RequestPartitions.Scope?
    /// The user and the route of its response; `nil` if they aren't needed.
    var user: StorePartition.Parts?
    /// The request that its interceptors sent last; `nil` without interceptors.
    var note: SentRequestNote?
    /// The loop, which sends requests for the stores.
    let refresher: any StoreRefresher

    init(
        _ request: EncodedRequest,
        _ call: CallContext,
        _ options: SendOptions,
        _ memory: Recovery.Memory,
        for reason: AttemptRecord.Reason,
        refresher: any StoreRefresher
    ) {
        (self.request, self.call, self.options) = (request, call, options)
        (self.memory, self.reason, self.refresher) = (memory, reason, refresher)
    }
}

/// The end of an attempt.
struct AttemptEnd: Sendable {
    /// The attempt's request, with what the next one has to keep: conditions, and names that an authorizer has hidden.
    let request: EncodedRequest
    var result: Result<TransportResponse, any Error>
    /// The request that was sent last; `nil` if none was sent, or if the settings have no part in the attempt.
    let sent: SentRequest?
    /// Whether the retry policy may send the request again.
    var retries = true
    /// Whether a store has returned the response whose body failed, so that the server hasn't failed.
    var isStored = false

    /// Whether a store has requested that the request be sent again, since it can't use the response to its conditions.
    var isUnusableRevalidation: Bool { sent?.visits?.needsRepetition == true }

    init(_ request: EncodedRequest, _ result: Result<TransportResponse, any Error>, sentAs sent: SentRequest? = nil) {
        var next = request
        if let sent {
            next = next.guarded(as: sent)
            // A redirect may repeat an item that an authorizer has added, at an origin without an authorizer.
            let names = sent.authorized.hiddenNames
            if !names.isEmpty { next = next.hiding(names) }
        }
        (self.request, self.result, self.sent) = (next, result, sent)
    }
}

/// The use of a response, and what its attempts may do.
struct SendOptions: Sendable {
    let use: BodyUse
    /// Whether it requests the remaining bytes of a response, which involves neither conditions nor stores.
    var isContinuation = false
    /// Whether it may wait at a limit; otherwise ``NoFreeSlot`` is thrown if a limit has no free slot.
    var mayWait = true
    /// Whether recovery may send it again after a failure; otherwise the caller decides.
    var retries = true

    init(_ use: BodyUse) { self.use = use }
}

/// The use of a successful response's body.
enum BodyUse: Sendable, Hashable {
    /// The body is read into memory.
    case memory
    /// The body is delivered as it arrives, decoded.
    case stream
    /// The body goes to a file as it arrives; its bytes are counted elsewhere.
    case download
    /// The body continues an interrupted one.
    case continuation

    var isRaw: Bool { self == .download || self == .continuation }
}
