// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusCatalogs
import CumulusServices

// Tasks that only Twitter had.
extension Twitter {
    /// A blocked user; throws 404 if you don't block them: `CheckIfBlockingUser`.
    public func blockedUser(_ user: Account) async throws -> User {
        try await service.call("CheckIfBlockingUser", user.arguments, as: User.self).send()
    }

    /// The users that you block: `GetBlockedUsers`.
    public func blockedUsers(page: Int? = nil) async throws -> [User] {
        try await service.call("GetBlockedUsers", ["page": page], as: [User].self).send()
    }

    /// The numbers of the users that you block: `GetBlockedUserIDs`.
    public func blockedUserIDs() async throws -> [Int64] {
        try await service.call("GetBlockedUserIDs", as: [Int64].self).send()
    }

    /// Searches statuses for words: `Search`; other parameters need a call by name: `service.call("Search", ["from":
    /// "ada"])`.
    public func search(_ query: String, count: Int? = nil, page: Int? = nil) async throws -> JSON {
        try await service.call("Search", ["query": query, "count": count, "page": page], as: JSON.self).send()
    }

    /// Popular topics: `Trends`.
    public func trends() async throws -> JSON { try await service.call("Trends", as: JSON.self).send() }

    /// The number of remaining requests: `GetRateLimitStatus`.
    ///
    /// `service.quota` has the same from all responses.
    public func rateLimitStatus() async throws -> JSON {
        try await service.call("GetRateLimitStatus", as: JSON.self).send()
    }

    /// The result of a statement in Yahoo's query language: `GetUserInfoUsingYQL`.
    public func userInfo(usingYQL statement: String) async throws -> JSON {
        try await service.call("GetUserInfoUsingYQL", ["query": statement], as: JSON.self).send()
    }
}
