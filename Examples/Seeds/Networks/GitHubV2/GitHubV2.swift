// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusCatalogs
public import CumulusServices

/// Version 2 of GitHub's API, of 2009, as in CocoaREST's fork catsby; see ``GitHub`` for today's.
///
/// **That version has been gone** since 2012. Its tasks are tested against our own server.
///
///     var github = GitHubV2(at: "https://code.example/api/v2/json")
///     github.authorize(login: "ada", token: token)
///     let repositories = try await github.repositories(of: "ada")
///
/// The fork also named tasks to search users and for issues, but without addresses: they are not here.
public struct GitHubV2: CatalogedService {
    /// The service that makes the requests.
    public var service: Service

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service }

    private static let fields = ["name", "email", "blog", "company", "location"]

    /// The tasks, at their address of 2009.
    public static let definition: ServiceDescription = {
        let tasks: [EndpointDescription] = [
            .task("GetRepos", .get, "repos/show/{user}"),
            .task("GetRepoNetwork", .get, "repos/show/{user}/{repo}/network"),
            .task("UserShow", .get, "user/show/{user}"),
            .task("UserUpdate", .post, "user/show/{login}", fields.map { .text($0, "values[\($0)]") }),
        ]
        var github = ServiceDescription("GitHub v2", at: "http://github.com/api/v2/json", endpoints: tasks)
        github.summary = "Version 2 of GitHub's interface, which is gone"
        github.authorization = .optional(.keyInQuery("token"))
        github.errors = .members("error")
        github.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        github.bodyFormat = .form
        github.responseFormat = .json
        return github
    }()

    /// Authorizes all requests; the token is only sent to this origin, and is not logged.
    public mutating func authorize(login: String, token: Secret<String>) {
        service = service.with { $0.query["login"] = login }
        service.authorize(token: token)
    }

    /// A user's repositories: `GetRepos`.
    public func repositories(of user: String) async throws -> JSON {
        try await service.call("GetRepos", ["user": user], as: JSON.self).send()
    }

    /// A repository's forks: `GetRepoNetwork`.
    public func network(of user: String, _ repository: String) async throws -> JSON {
        try await service.call("GetRepoNetwork", ["user": user, "repo": repository], as: JSON.self).send()
    }

    /// A user: `UserShow`.
    public func user(_ name: String) async throws -> JSON {
        try await service.call("UserShow", ["user": name], as: JSON.self).send()
    }

    /// Changes the authenticated user: `UserUpdate`; `nil` leaves a field unchanged.
    public func update(
        _ login: String,
        name: String? = nil,
        email: String? = nil,
        blog: String? = nil,
        company: String? = nil,
        location: String? = nil
    ) async throws -> JSON {
        let arguments: EndpointArguments = [
            "login": login, "name": name, "email": email, "blog": blog, "company": company, "location": location,
        ]
        return try await service.call("UserUpdate", arguments, as: JSON.self).send()
    }
}
