// SPDX-License-Identifier: Apache-2.0

/// The data of its call that an attempt needs.
struct AttemptContext: Sendable {
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
        _ call: CallContext,
        _ options: SendOptions,
        _ memory: Recovery.Memory,
        for reason: AttemptRecord.Reason,
        refresher: any StoreRefresher
    ) {
        (self.call, self.options, self.memory, self.reason) = (call, options, memory, reason)
        self.refresher = refresher
    }
}

/// The use of a response, and what its attempts may do.
struct SendOptions: Sendable {
    let use: BodyUse
    /// Whether it requests the remaining bytes of a response, which involves neither conditions nor stores.
    var isRest = false
    /// Whether it may wait at a limit; otherwise ``Limit/Full`` is thrown if a limit has no free slot.
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
