// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension Mastodon {
    /// Returns the authenticated account: `VerifyCredentials`.
    public func verifyCredentials() async throws -> Account {
        try await service.call("VerifyCredentials", as: Account.self).send()
    }

    /// Returns an account by its identifier: `GetAccount`.
    public func account(_ id: String) async throws -> Account {
        try await service.call("GetAccount", ["id": id], as: Account.self).send()
    }

    /// Returns an account by its name, `ada@mastodon.example`: `LookUpAccount`.
    public func account(named name: String) async throws -> Account {
        try await service.call("LookUpAccount", ["account": name], as: Account.self).send()
    }

    /// Returns the statuses of an account: `GetAccountStatuses`.
    ///
    /// - Parameters:
    ///   - id: The account's identifier.
    ///   - excludesReplies: Whether replies are omitted.
    ///   - limit: The maximum number of statuses.
    ///   - maxID: The identifier of a status; only earlier statuses are returned.
    /// - Returns: The statuses, the latest first.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func statuses(
        of id: String,
        excludesReplies: Bool = false,
        limit: Int? = nil,
        maxID: String? = nil
    ) async throws -> [Status] {
        let more: EndpointArguments = ["id": id, "excludeReplies": excludesReplies ? true : nil]
        let arguments = window(limit, maxID, nil, nil).merging(more)
        return try await service.call("GetAccountStatuses", arguments, as: [Status].self).send()
    }

    /// Returns the followers of an account: `GetFollowers`.
    public func followers(of id: String, limit: Int? = nil) async throws -> [Account] {
        try await service.call("GetFollowers", ["id": id, "limit": limit], as: [Account].self).send()
    }

    /// Returns the accounts that an account follows: `GetFollowing`.
    public func following(of id: String, limit: Int? = nil) async throws -> [Account] {
        try await service.call("GetFollowing", ["id": id, "limit": limit], as: [Account].self).send()
    }

    /// Follows an account: `FollowAccount`.
    ///
    /// - Parameters:
    ///   - id: The account's identifier.
    ///   - showsBoosts: Whether your home timeline includes its boosts; `nil` leaves that unchanged.
    ///   - notifies: Whether you are notified of its statuses; `nil` leaves that unchanged.
    /// - Returns: Your relationship with the account.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func follow(
        _ id: String,
        showsBoosts: Bool? = nil,
        notifies: Bool? = nil
    ) async throws -> Relationship {
        let arguments: EndpointArguments = ["id": id, "showsBoosts": showsBoosts, "notifies": notifies]
        return try await service.call("FollowAccount", arguments, as: Relationship.self).send()
    }

    /// Stops following an account: `UnfollowAccount`.
    public func unfollow(_ id: String) async throws -> Relationship {
        try await service.call("UnfollowAccount", ["id": id], as: Relationship.self).send()
    }

    /// Returns your relationships with several accounts: `GetRelationships`.
    public func relationships(with ids: [String]) async throws -> [Relationship] {
        try await service.call("GetRelationships", ["ids": ids], as: [Relationship].self).send()
    }
}
