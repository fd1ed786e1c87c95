// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices

extension TwitterCompatible {
    /// A user: `GetUserInfo`.
    public func user(_ user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("GetUserInfo", user.arguments, as: Twitter.User.self).send()
    }

    /// The users that a user follows: `GetUsersFriends`; `nil` is yourself.
    public func friends(of user: Twitter.Account? = nil, page: Int? = nil) async throws -> [Twitter.User] {
        try await service.call("GetUsersFriends", arguments(user, page), as: [Twitter.User].self).send()
    }

    /// The followers of a user: `GetUsersFollowers`; `nil` is yourself.
    public func followers(of user: Twitter.Account? = nil, page: Int? = nil) async throws -> [Twitter.User] {
        try await service.call("GetUsersFollowers", arguments(user, page), as: [Twitter.User].self).send()
    }

    /// The numbers of the users that a user follows: `GetIDsOfFriends`; `nil` is yourself.
    public func idsOfFriends(of user: Twitter.Account? = nil, page: Int? = nil) async throws -> [Int64] {
        try await service.call("GetIDsOfFriends", arguments(user, page), as: [Int64].self).send()
    }

    /// The numbers of a user's followers: `GetIDsOfFollowers`; `nil` is yourself.
    public func idsOfFollowers(of user: Twitter.Account? = nil, page: Int? = nil) async throws -> [Int64] {
        try await service.call("GetIDsOfFollowers", arguments(user, page), as: [Int64].self).send()
    }

    /// Follows a user: `FollowUser`.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - enablingDeviceNotifications: Whether their statuses are sent to your device.
    /// - Returns: The user.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func follow(
        _ user: Twitter.Account,
        enablingDeviceNotifications: Bool = false
    ) async throws -> Twitter.User {
        let notifies: EndpointArguments = ["enableDeviceNotificationsAlso": enablingDeviceNotifications ? true : nil]
        return try await service.call("FollowUser", user.arguments.merging(notifies), as: Twitter.User.self).send()
    }

    /// Stops following a user: `UnfollowUser`.
    public func unfollow(_ user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("UnfollowUser", user.arguments, as: Twitter.User.self).send()
    }

    /// Whether one user follows another, by names or numbers: `CheckIfUserFollowsUser`.
    public func user(_ first: String, follows second: String) async throws -> Bool {
        let pair: EndpointArguments = ["firstUsersID": first, "secondUsersID": second]
        return try await service.call("CheckIfUserFollowsUser", pair, as: Bool.self).send()
    }

    /// Sends a user's statuses to your device: `EnableDeviceNotificationsFromUser`.
    public func enableDeviceNotifications(from user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("EnableDeviceNotificationsFromUser", user.arguments, as: Twitter.User.self).send()
    }

    /// Stops sending a user's statuses to your device: `DisableDeviceNotificationsFromUser`.
    public func disableDeviceNotifications(from user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("DisableDeviceNotificationsFromUser", user.arguments, as: Twitter.User.self).send()
    }

    /// Blocks a user: `BlockUser`.
    public func block(_ user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("BlockUser", user.arguments, as: Twitter.User.self).send()
    }

    /// Stops blocking a user: `UnblockUser`.
    public func unblock(_ user: Twitter.Account) async throws -> Twitter.User {
        try await service.call("UnblockUser", user.arguments, as: Twitter.User.self).send()
    }

    private func arguments(_ user: Twitter.Account?, _ page: Int?) -> EndpointArguments {
        (user?.arguments ?? [:]).merging(["page": page])
    }
}
