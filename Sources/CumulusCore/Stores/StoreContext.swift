// SPDX-License-Identifier: Apache-2.0

/// What a store needs to know besides a request.
public struct StoreContext: Sendable {
    /// The user on whose behalf the request is sent, and its route.
    ///
    /// A response that is stored for one partition must never be used for another one, nor for one that isn't
    /// ``StorePartition/isShareable``.
    public let partition: StorePartition
    /// The call's clock.
    public let clock: any RequestClock
    /// Whether the body goes to a file, so that a tap sees none of its bytes.
    ///
    /// A store's response is written to the file. Requests for a part have `Range`, and a store passes them.
    public let isDownload: Bool
    /// Whether a store has begun this call itself, by ``refresh()``: it asks the server, whatever it has.
    public let isRefresh: Bool
    /// Whether a store may let the request wait for another call that asks for the same.
    ///
    /// Not if an interceptor calls `next` again: it would wait for its own first request, perhaps for ever.
    public let mayWaitForOthers: Bool

    /// How long the request may wait for another call's response, by ``Resource/Settings/timeout`` and
    /// ``Resource/Settings/responseTimeout``; `nil` for no limit.
    public let longestWait: Duration?

    /// The request as the attempt began with it, before the interceptors.
    let request: EncodedRequest
    /// The partition, also of a request whose response can't be shared.
    let user: StorePartition
    /// The authorizers, the jar and the route: the same for a request that reads and one that changes what was read.
    let identity: StorePartition
    /// The memory of the attempts before this one.
    let memory: Recovery.Memory
    /// The call as its observers know it; `nil` without observers.
    let draft: RequestDraft?
    let refresher: any StoreRefresher

    /// Starts a call of the tree's that sends the same request again, as the same user, and reads the response: for a
    /// response that may be used while a newer one is fetched (RFC 5861 section 3).
    ///
    /// It returns at once. The store is asked about the request, with ``isRefresh``, and gets the response by its visit; if
    /// a hook refuses the request before, or the tree was shut down, the store is not asked. After a redirect, only this
    /// hop is repeated. Calls are not joined: remember which are under way.
    ///
    /// It has a number and a deadline of its own, and reads at most ``Resource/Settings/maxBodySize`` bytes. The settings'
    /// observers see it as a call whose response is streamed.
    /// ``Resource/cancelAll()`` and ``Resource/shutdown(_:)`` end it as they end other calls, and
    /// ``Resource/waitUntilIdle()`` waits for it. In a refresh it does nothing, nor for a request whose body can be sent
    /// only once.
    ///
    /// - Parameter onEnd: Called once when it has ended, also if nothing was sent.
    public func refresh(onEnd: @escaping @Sendable () -> Void = {}) {
        if isRefresh { onEnd() } else { refresher.refresh(request, of: draft, after: memory, onEnd: onEnd) }
    }
}

/// Sends requests for stores.
protocol StoreRefresher: AnyObject, Sendable {
    /// - Parameters:
    ///   - request: The request.
    ///   - draft: The call that it was sent for; `nil` without observers.
    ///   - memory: The memory of the attempts before the request.
    ///   - onEnd: Called once at its end.
    func refresh(
        _ request: EncodedRequest,
        of draft: RequestDraft?,
        after memory: Recovery.Memory,
        onEnd: @escaping @Sendable () -> Void
    )
}

extension Resource.Settings {
    /// A store of responses, such as a cache; `nil` for none.
    ///
    /// Default: `nil`. The nearest wins, also at another origin that a link or a redirect leads to: it keeps apart what
    /// different identities get (``StoreContext/partition``).
    public var responseStore: (any ResponseStore)? {
        get { self[key: ResponseStoreKey.self] }
        set { self[key: ResponseStoreKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/responseStore``.
enum ResponseStoreKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: (any ResponseStore)? { nil }
    /// Its type.
    static func describe(_ value: (any ResponseStore)?) -> String { value.map { "\(type(of: $0))" } ?? "none" }
}
