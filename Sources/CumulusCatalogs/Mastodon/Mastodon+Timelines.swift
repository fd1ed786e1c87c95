// SPDX-License-Identifier: Apache-2.0

public import Cumulus

extension Mastodon {
    /// The latest of those whom you follow: `GetHomeTimeline`.
    ///
    /// - Parameters:
    ///   - limit: How many; the instance gives 20 if nothing is said, and 40 at most.
    ///   - maxID: A status; only earlier ones are given.
    ///   - sinceID: A status; only later ones are given, of those the latest.
    ///   - minID: A status; only later ones are given, of those the earliest.
    /// - Returns: The statuses, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func homeTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetHomeTimeline", window(limit, maxID, sinceID, minID), as: [Status].self)
    }

    /// The latest of everybody whom the instance knows: `GetPublicTimeline`.
    public func publicTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetPublicTimeline", window(limit, maxID, sinceID, minID), as: [Status].self)
    }

    /// The latest of those who are at this instance: `GetLocalTimeline`.
    public func localTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetLocalTimeline", window(limit, maxID, sinceID, minID), as: [Status].self)
    }

    /// The latest with a hashtag, given without `#`: `GetHashtagTimeline`.
    public func hashtagTimeline(
        _ hashtag: String,
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        let arguments = window(limit, maxID, sinceID, minID).merging(["hashtag": hashtag])
        return try await service.call("GetHashtagTimeline", arguments, as: [Status].self)
    }

    /// The latest of the accounts in a list: `GetListTimeline`.
    public func listTimeline(
        _ list: String,
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        let arguments = window(limit, maxID, sinceID, minID).merging(["listID": list])
        return try await service.call("GetListTimeline", arguments, as: [Status].self)
    }

    /// Your lists: `GetLists`.
    public func lists() async throws -> [List] { try await service.call("GetLists", as: [List].self) }

    /// Your notifications: `GetNotifications`.
    ///
    /// - Parameters:
    ///   - types: Only of these types; empty for all.
    ///   - limit: How many.
    ///   - maxID: A notification; only earlier ones are given.
    /// - Returns: The notifications, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func notifications(
        types: [String] = [],
        limit: Int? = nil,
        maxID: String? = nil
    ) async throws -> [Notification] {
        let arguments: EndpointArguments = ["types": types.isEmpty ? nil : types, "limit": limit, "maxID": maxID]
        return try await service.call("GetNotifications", arguments, as: [Notification].self)
    }

    /// Removes a notification: `DismissNotification`.
    public func dismissNotification(_ id: String) async throws {
        try await service.call("DismissNotification", ["id": id], as: Void.self)
    }

    /// Removes all notifications: `ClearNotifications`.
    public func clearNotifications() async throws { try await service.call("ClearNotifications", as: Void.self) }

    /// The instance's search results: `Search`.
    public func search(_ query: String, type: String? = nil, limit: Int? = nil) async throws -> SearchResults {
        try await service.call("Search", ["query": query, "type": type, "limit": limit], as: SearchResults.self)
    }

    /// The instance's description of itself: `GetInstance`.
    public func instance() async throws -> JSON { try await service.call("GetInstance", as: JSON.self) }

    /// Part of a list as parameters.
    func window(_ limit: Int?, _ maxID: String?, _ sinceID: String?, _ minID: String?) -> EndpointArguments {
        ["limit": limit, "maxID": maxID, "sinceID": sinceID, "minID": minID]
    }
}
