// SPDX-License-Identifier: Apache-2.0

public import Cumulus

// What Twitter alone had.
extension Twitter {
    /// A user whom you block; throws 404 for one whom you don't: `CheckIfBlockingUser`.
    public func blockedUser(_ user: Account) async throws -> User {
        try await service.call("CheckIfBlockingUser", user.arguments, as: User.self)
    }

    /// Whom you block: `GetBlockedUsers`.
    public func blockedUsers(page: Int? = nil) async throws -> [User] {
        try await service.call("GetBlockedUsers", ["page": page], as: [User].self)
    }

    /// The numbers of those whom you block: `GetBlockedUserIDs`.
    public func blockedUserIDs() async throws -> [Int64] {
        try await service.call("GetBlockedUserIDs", as: [Int64].self)
    }

    /// Statuses by their words: `Search`; more is to be said by name: `service.call("Search", ["from": "ada"])`.
    public func search(_ query: String, count: Int? = nil, page: Int? = nil) async throws -> JSON {
        try await service.call("Search", ["query": query, "count": count, "page": page], as: JSON.self)
    }

    /// Popular topics: `Trends`.
    public func trends() async throws -> JSON { try await service.call("Trends", as: JSON.self) }

    /// How many requests are left: `GetRateLimitStatus`.
    ///
    /// `service.quota` has that of all answers.
    public func rateLimitStatus() async throws -> JSON { try await service.call("GetRateLimitStatus", as: JSON.self) }

    /// What Yahoo's query language answered to a statement: `GetUserInfoUsingYQL`.
    public func userInfo(usingYQL statement: String) async throws -> JSON {
        try await service.call("GetUserInfoUsingYQL", ["query": statement], as: JSON.self)
    }
}
