// SPDX-License-Identifier: Apache-2.0

/// The information that a store needs in addition to a request.
public struct StoreContext: Sendable {
    /// The user on whose behalf the request is sent, and its route.
    ///
    /// A response that is stored for one partition must never be used for a different partition, or for a partition
    /// that isn't ``StorePartition/isShareable``.
    public let partition: StorePartition
    /// The call's clock.
    public let clock: any RequestClock
    /// Whether the body is written to a file, in which case a tap sees none of its bytes.
    ///
    /// A store's response is written to the file. Requests for a range of the file contain `Range`; a store passes them
    /// on to the server.
    public let isDownload: Bool
    /// Whether a store has started this call itself, with ``refresh(onEnd:)``.
    ///
    /// In that case, the store must have the request sent to the server, even if it has a response.
    public let isRefresh: Bool
    /// Whether a store may let the request wait for another call with the same request.
    ///
    /// It is false if an interceptor calls `next` again, since the request would wait for its own first request,
    /// perhaps forever. The first request must not wait for this one either.
    public let mayWaitForOthers: Bool

    /// The maximum time for which the request may wait for another call's response, from ``Resource/Settings/timeout``
    /// and ``Resource/Settings/responseTimeout``; `nil` means no limit.
    public let longestWait: Duration?

    /// The request with which the attempt began, before the interceptors.
    let request: EncodedRequest
    /// The partition, even of a request whose response can't be shared.
    let user: StorePartition
    /// The authorizers, the cookie jar and the route.
    ///
    /// They are the same for a request that reads a resource and one that changes it.
    let identity: StorePartition
    /// The memory of the attempts before this one.
    let memory: Recovery.Memory
    /// The call as its observers know it; `nil` without observers.
    let draft: RequestDraft?
    let refresher: any StoreRefresher

    /// Starts a call that sends the same request again, as the same user, and reads the response: for a stored response
    /// that may be used while a newer one is fetched (RFC 5861 section 3).
    ///
    /// It returns immediately. The call checks the store with ``isRefresh``, and passes the response to the store's
    /// visit. If a hook refuses the request before that, or the tree was shut down, the store isn't checked. After a
    /// redirect, only the request to this URL is repeated. Refreshes are not joined: remember which ones are running.
    ///
    /// The call has its own number and deadline, and reads at most ``Resource/Settings/maxBodySize`` bytes. The
    /// settings' observers see it as a call whose response is streamed. ``Resource/cancelAll()`` and
    /// ``Resource/shutdown(_:)`` end it as they do other calls, and ``Resource/waitUntilIdle()`` waits for it. In a
    /// refresh, and for a request whose body can be sent only once, this method only calls `onEnd`.
    ///
    /// - Parameter onEnd: A closure that is called once when the call has ended, even if nothing was sent.
    public func refresh(onEnd: @escaping @Sendable () -> Void = {}) {
        if isRefresh { onEnd() } else { refresher.refresh(request, of: draft, after: memory, onEnd: onEnd) }
    }
}

/// Sends requests for stores.
protocol StoreRefresher: AnyObject, Sendable {
    /// Sends a request again for a store.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - draft: The call for which the request was sent; `nil` without observers.
    ///   - memory: The memory of the attempts before the request.
    ///   - onEnd: A closure that is called once at its end.
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
    /// Default: `nil`. The nearest wins, even if a link or a redirect leads to a different origin. The store separates
    /// the responses of different identities (``StoreContext/partition``).
    public var responseStore: (any ResponseStore)? {
        get { self[key: ResponseStoreKey.self] }
        set { self[key: ResponseStoreKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/responseStore``.
enum ResponseStoreKey: HarmlessSettingKey {
    /// No store.
    static var defaultValue: (any ResponseStore)? { nil }
    /// The store's type.
    static func describe(_ value: (any ResponseStore)?) -> String { value.map { "\(type(of: $0))" } ?? "none" }
}
