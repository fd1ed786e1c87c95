// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusCatalogs
import CumulusServices

/// A service with Twitter's former API.
public protocol TwitterCompatible: CatalogedService {}

extension TwitterCompatible {
    /// Paging by the parameter `page`, until a page is empty.
    public static var paging: PagingRule { .pageNumber() }
}

extension Service {
    /// The same service, whose task `CreateStatus` sends the program's name as `source`, unless the call has one.
    func sendingSource() -> Service {
        var service = self
        service.hooks.append { request in
            guard request.endpoint.name == "CreateStatus", request.arguments["source"] == nil,
                let name = request.resource.client?.name
            else { return }
            let arguments = request.arguments.merging(["source": name])
            request.payload = try self.request(request.endpoint.name, arguments).payload
        }
        return service
    }
}

// Statuses.
extension TwitterCompatible {
    /// The latest statuses of all users: `GetPublicTimeline`.
    public func publicTimeline() async throws -> [Twitter.Status] {
        try await service.call("GetPublicTimeline", as: [Twitter.Status].self).send()
    }

    /// The latest statuses of the users that you follow: `GetPersonalTimeline`.
    ///
    /// - Parameters:
    ///   - count: How many statuses.
    ///   - page: The page's number, counted from 1.
    ///   - newerThan: A status; only later ones are returned.
    ///   - olderThan: A status; only it and earlier ones are returned.
    /// - Returns: The statuses, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func personalTimeline(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        let window = window(count, page, newerThan, olderThan)
        return try await service.call("GetPersonalTimeline", window, as: [Twitter.Status].self).send()
    }

    /// The latest statuses of a user: `GetUsersTimeline`; `nil` is yourself.
    public func usersTimeline(
        of user: Twitter.Account? = nil,
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        let arguments = window(count, page, newerThan, olderThan).merging(user?.arguments ?? [:])
        return try await service.call("GetUsersTimeline", arguments, as: [Twitter.Status].self).send()
    }

    /// The latest statuses that mention you: `GetMentions`.
    public func mentions(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.Status] {
        try await service.call("GetMentions", window(count, page, newerThan, olderThan), as: [Twitter.Status].self)
            .send()
    }

    /// One status: `GetStatus`.
    public func status(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("GetStatus", ["statusID": id], as: Twitter.Status.self).send()
    }

    /// Writes a status: `CreateStatus`; the program's name is sent along as `source`.
    ///
    /// Like any POST, it is not repeated automatically.
    public func createStatus(_ text: String, inReplyTo status: Int64? = nil) async throws -> Twitter.Status {
        try await service.call(
            "CreateStatus",
            ["text": text, "inReplyToStatusID": status],
            as: Twitter.Status.self
        ).send()
    }

    /// Deletes a status: `DeleteStatus`.
    public func deleteStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("DeleteStatus", ["statusID": id], as: Twitter.Status.self).send()
    }

    /// The statuses that a user likes: `GetFavoriteStatuses`; `nil` is yourself.
    public func favoriteStatuses(of user: String? = nil, page: Int? = nil) async throws -> [Twitter.Status] {
        let arguments: EndpointArguments = ["screenNameOrUserID": user, "page": page]
        return try await service.call("GetFavoriteStatuses", arguments, as: [Twitter.Status].self).send()
    }

    /// Likes a status: `FavorStatus`.
    public func favorStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("FavorStatus", ["statusID": id], as: Twitter.Status.self).send()
    }

    /// Removes your like from a status: `UnavorStatus`, as CocoaREST spelled it.
    public func unfavorStatus(_ id: Int64) async throws -> Twitter.Status {
        try await service.call("UnavorStatus", ["statusID": id], as: Twitter.Status.self).send()
    }

    /// The parameters for a part of a list.
    func window(_ count: Int?, _ page: Int?, _ newerThan: Int64?, _ olderThan: Int64?) -> EndpointArguments {
        ["count": count, "page": page, "newerThanStatusID": newerThan, "olderThanStatusID": olderThan]
    }
}
