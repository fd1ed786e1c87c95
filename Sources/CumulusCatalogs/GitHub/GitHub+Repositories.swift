// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusServices

extension GitHub {
    /// Returns the authenticated user: `GetAuthenticatedUser`.
    public func authenticatedUser() async throws -> User {
        try await service.call("GetAuthenticatedUser", as: User.self).send()
    }

    /// Returns a user: `GetUser`.
    public func user(_ login: String) async throws -> User {
        try await service.call("GetUser", ["login": login], as: User.self).send()
    }

    /// Returns a page of a user's repositories: `GetRepositories`.
    public func repositories(of login: String, perPage: Int? = nil, page: Int? = nil) async throws -> [Repository] {
        let arguments: EndpointArguments = ["login": login, "perPage": perPage, "page": page]
        return try await service.call("GetRepositories", arguments, as: [Repository].self).send()
    }

    /// Returns a repository: `GetRepository`.
    public func repository(_ owner: String, _ name: String) async throws -> Repository {
        try await service.call("GetRepository", ["owner": owner, "repo": name], as: Repository.self).send()
    }

    /// Returns a page of a search for repositories: `SearchRepositories`.
    public func searchRepositories(
        _ query: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> SearchResults<Repository> {
        let arguments: EndpointArguments = ["query": query, "perPage": perPage, "page": page]
        return try await service.call("SearchRepositories", arguments, as: SearchResults<Repository>.self).send()
    }

    /// Returns a page of a search for issues and pull requests: `SearchIssues`.
    public func searchIssues(
        _ query: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> SearchResults<Issue> {
        let arguments: EndpointArguments = ["query": query, "perPage": perPage, "page": page]
        return try await service.call("SearchIssues", arguments, as: SearchResults<Issue>.self).send()
    }

    /// Returns a page of a search for users: `SearchUsers`.
    public func searchUsers(
        _ query: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> SearchResults<User> {
        let arguments: EndpointArguments = ["query": query, "perPage": perPage, "page": page]
        return try await service.call("SearchUsers", arguments, as: SearchResults<User>.self).send()
    }

    /// Returns the number of remaining requests of each kind, from a separate endpoint: `GetRateLimit`.
    public func rateLimit() async throws -> JSON { try await service.call("GetRateLimit", as: JSON.self).send() }
}
