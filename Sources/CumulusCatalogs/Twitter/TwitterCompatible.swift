// SPDX-License-Identifier: Apache-2.0

public import Cumulus

/// A service that speaks as Twitter did.
public protocol TwitterCompatible: CataloguedService {}

extension TwitterCompatible {
    /// By `page`, until one is empty.
    public static var paging: PagingRule { .pageNumber() }
}

// Statuses.
extension TwitterCompatible {
    /// The latest of everybody: `GetPublicTimeline`.
    public func publicTimeline() async throws -> [Twitter.Status] {
        try await service.call("GetPublicTimeline", as: [Twitter.Status].self)
    }

    /// The latest of those whom you follow: `GetPersonalTimeline`.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - page: Which page, counted from 1.
    ///   - newerThan: A status; only later ones are given.
    ///   - olderThan: A status; only it and earlier ones are given.
    /// - Returns: The statuses, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func personalTimeline(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        let window = window(count, page, newerThan, olderThan)
        return try await service.call("GetPersonalTimeline", window, as: [Twitter.Status].self)
    }

    /// The latest of one user: `GetUsersTimeline`; `nil` is yourself.
    public func usersTimeline(
        of user: Twitter.Account? = nil,
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        let arguments = window(count, page, newerThan, olderThan).merging(user?.arguments ?? [:])
        return try await service.call("GetUsersTimeline", arguments, as: [Twitter.Status].self)
    }

    /// The latest that name you: `GetMentions`.
    public func mentions(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        try await service.call("GetMentions", window(count, page, newerThan, olderThan), as: [Twitter.Status].self)
    }

    /// One status: `GetStatus`.
    public func status(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("GetStatus", ["statusID": id], as: Twitter.Status.self)
    }

    /// Writes a status: `CreateStatus`; the program's name is sent along as `source`.
    ///
    /// It is not sent again by itself, as no POST is.
    public func createStatus(_ text: String, inReplyTo status: Int64? = nil) async throws -> Twitter.Status {
        try await service.call(
            "CreateStatus",
            ["text": text, "inReplyToStatusID": status, "source": service.client?.name],
            as: Twitter.Status.self
        )
    }

    /// Deletes a status: `DeleteStatus`.
    public func deleteStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("DeleteStatus", ["statusID": id], as: Twitter.Status.self)
    }

    /// What somebody likes: `GetFavoriteStatuses`; `nil` is yourself.
    public func favoriteStatuses(of user: String? = nil, page: Int? = nil) async throws -> [Twitter.Status] {
        let arguments: EndpointArguments = ["screenNameOrUserID": user, "page": page]
        return try await service.call("GetFavoriteStatuses", arguments, as: [Twitter.Status].self)
    }

    /// Likes a status: `FavorStatus`.
    public func favorStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("FavorStatus", ["statusID": id], as: Twitter.Status.self)
    }

    /// Likes a status no more: `UnavorStatus`, as CocoaREST wrote it.
    public func unfavorStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("UnavorStatus", ["statusID": id], as: Twitter.Status.self)
    }

    /// Part of a list as parameters.
    func window(_ count: Int?, _ page: Int?, _ newerThan: Int64?, _ olderThan: Int64?) -> EndpointArguments {
        ["count": count, "page": page, "newerThanStatusID": newerThan, "olderThanStatusID": olderThan]
    }
}
