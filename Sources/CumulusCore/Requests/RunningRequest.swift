// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request that was running at the moment you asked.
public struct RunningRequest: Sendable, Identifiable {
    private let entry: RequestLedger.Entry
    private let draft: RequestDraft
    private let ticket: RequestTicket

    init?(_ entry: RequestLedger.Entry, _ ticket: RequestTicket) {
        guard let draft = entry.subject as? RequestDraft else { return nil }
        self.draft = draft
        self.entry = entry
        self.ticket = ticket
    }

    /// The request's number, the same as ``EncodedRequest/id`` and in errors.
    public var id: RequestID { entry.id }
    /// The method.
    public var method: HTTPRequest.Method { draft.method }
    /// The resource that the call was made on.
    public var resource: Resource { draft.resource }
    /// The URL, with its query values redacted.
    public var redactedURL: String { draft.redactedURL }
    /// When it began, on the request's clock.
    public var startedAt: ContinuousClock.Instant { entry.startedAt.instant }
    /// The request's name in ``Settings/identity``; `nil` if it has none.
    public var label: String? { entry.label }
    /// The value of ``Settings/userInfo`` when it began.
    public var userInfo: UserValues { draft.settings.value(UserInfoKey.self) }

    /// Cancels the request: its caller gets `CancellationError`.
    ///
    /// - Returns: Whether it was still running and had not been cancelled before.
    @discardableResult
    public func cancel() -> Bool { ticket.ledger.cancel(ticket) }
}

extension RunningRequest: CustomStringConvertible {
    /// Number, method and URL, without secrets.
    public var description: String { "#\(id) \(draft)" }
}
