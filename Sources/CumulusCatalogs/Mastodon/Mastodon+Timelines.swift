// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusServices

extension Mastodon {
    /// Returns the latest statuses of the accounts that you follow: `GetHomeTimeline`.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of statuses; the instance's default is 20, and its maximum is 40.
    ///   - maxID: The identifier of a status; only earlier statuses are returned.
    ///   - sinceID: The identifier of a status; of the later statuses, the latest are returned.
    ///   - minID: The identifier of a status; of the later statuses, the earliest are returned.
    /// - Returns: The statuses, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func homeTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetHomeTimeline", window(limit, maxID, sinceID, minID), as: [Status].self).send()
    }

    /// Returns the latest statuses of all accounts that are known to the instance: `GetPublicTimeline`.
    public func publicTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetPublicTimeline", window(limit, maxID, sinceID, minID), as: [Status].self).send()
    }

    /// Returns the latest statuses of this instance's own accounts: `GetLocalTimeline`.
    public func localTimeline(
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        try await service.call("GetLocalTimeline", window(limit, maxID, sinceID, minID), as: [Status].self).send()
    }

    /// Returns the latest statuses with a hashtag, which is passed without its `#`: `GetHashtagTimeline`.
    public func hashtagTimeline(
        _ hashtag: String,
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        let arguments = window(limit, maxID, sinceID, minID).merging(["hashtag": hashtag])
        return try await service.call("GetHashtagTimeline", arguments, as: [Status].self).send()
    }

    /// Returns the latest statuses of the accounts in a list: `GetListTimeline`.
    public func listTimeline(
        _ list: String,
        limit: Int? = nil,
        maxID: String? = nil,
        sinceID: String? = nil,
        minID: String? = nil
    ) async throws -> [Status] {
        let arguments = window(limit, maxID, sinceID, minID).merging(["listID": list])
        return try await service.call("GetListTimeline", arguments, as: [Status].self).send()
    }

    /// Returns your lists: `GetLists`.
    public func lists() async throws -> [List] { try await service.call("GetLists", as: [List].self).send() }

    /// Returns your notifications: `GetNotifications`.
    ///
    /// - Parameters:
    ///   - types: The types to return; empty for all.
    ///   - limit: The maximum number of notifications.
    ///   - maxID: The identifier of a notification; only earlier notifications are returned.
    /// - Returns: The notifications, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func notifications(
        types: [String] = [],
        limit: Int? = nil,
        maxID: String? = nil
    ) async throws -> [Notification] {
        let arguments: EndpointArguments = ["types": types.isEmpty ? nil : types, "limit": limit, "maxID": maxID]
        return try await service.call("GetNotifications", arguments, as: [Notification].self).send()
    }

    /// Removes a notification: `DismissNotification`.
    public func dismissNotification(_ id: String) async throws {
        try await service.call("DismissNotification", ["id": id]).send().requireSuccess()
    }

    /// Removes all notifications: `ClearNotifications`.
    public func clearNotifications() async throws {
        try await service.call("ClearNotifications").send().requireSuccess()
    }

    /// Returns the results of the instance's search: `Search`.
    public func search(_ query: String, type: String? = nil, limit: Int? = nil) async throws -> SearchResults {
        try await service.call("Search", ["query": query, "type": type, "limit": limit], as: SearchResults.self).send()
    }

    /// Returns the instance's description of itself: `GetInstance`.
    public func instance() async throws -> JSON { try await service.call("GetInstance", as: JSON.self).send() }

    /// The parameters for a part of a list.
    func window(_ limit: Int?, _ maxID: String?, _ sinceID: String?, _ minID: String?) -> EndpointArguments {
        ["limit": limit, "maxID": maxID, "sinceID": sinceID, "minID": minID]
    }
}
