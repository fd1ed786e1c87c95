// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A call that was running when the list was made.
public struct ListedCall: Sendable, Identifiable {
    private let entry: RunningCallList.Entry
    private let draft: RequestDraft
    private let listing: CallListing

    init?(_ entry: RunningCallList.Entry, _ listing: CallListing) {
        guard let draft = entry.subject as? RequestDraft else { return nil }
        self.draft = draft
        self.entry = entry
        self.listing = listing
    }

    /// The call's number, the same as in errors and in ``EncodedRequest/id``.
    public var id: CallID { entry.id }
    /// The method.
    public var method: HTTPRequest.Method { draft.method }
    /// The resource that the call was made on.
    public var resource: Resource { draft.resource }
    /// The URL, with its query values redacted.
    public var redactedURL: String { draft.redactedURL }
    /// The time at which the call began, on its clock.
    public var startedAt: ContinuousClock.Instant { entry.startedAt.instant }
    /// The call's key; `nil` if it has none.
    public var key: CallKey? { draft.key }
    /// The value of ``Resource/Settings/userInfo`` when the call began.
    public var userInfo: UserValues { draft.settings.value(UserInfoKey.self) }

    /// Cancels the call: its caller receives `CancellationError`.
    ///
    /// - Returns: Whether it was still running and had not been cancelled before.
    @discardableResult
    public func cancel() -> Bool { listing.callList.cancel(listing) }
}

extension ListedCall: CustomStringConvertible {
    /// The number, method and URL, without secrets.
    public var description: String { "#\(id) \(draft)" }
}
