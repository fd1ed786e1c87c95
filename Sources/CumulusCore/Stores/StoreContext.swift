// SPDX-License-Identifier: Apache-2.0

/// What a store needs to know besides a request.
public struct StoreContext: Sendable {
    /// Whom the request speaks for: what is kept for one must never be given to another.
    public let partition: StorePartition
    /// The call's clock.
    public let clock: any RequestClock
    /// Whether the body goes to a file, so that a tap sees none of its bytes.
    public let isDownload: Bool
    /// Whether a store has begun this call itself, by ``refresh()``, to get a newer response than it has.
    public let isRefresh: Bool

    /// The request as the attempt began with it, before the interceptors.
    let request: EncodedRequest
    /// Whether a redirect led here from the place that the call is for.
    let isRedirected: Bool
    let refresher: any StoreRefresher

    /// Starts a call of the tree's that sends the same request again, and reads the response to its end: for a response
    /// that may be used while a newer one is fetched (RFC 5861 section 3).
    ///
    /// It has no deadline and no observers. ``Resource/cancelAll()`` and ``Resource/shutdown(_:)`` end it as they end the
    /// calls of others. A request whose body can be sent only once is not sent again.
    public func refresh() { refresher.refresh(request) }
}

/// Sends requests for stores.
protocol StoreRefresher: AnyObject, Sendable {
    func refresh(_ request: EncodedRequest)
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
