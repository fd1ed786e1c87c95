// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusServices

/// GitHub's REST API, version 2022-11-28.
///
/// It was written from GitHub's documentation, and tested only against our own server, never against GitHub.
///
///     var github = GitHub()
///     github.authorize(token: token)
///     let issue = try await github.createIssue("Clouds are late", in: "ada", "weather", labels: ["bug"])
///
/// Lists are paged with `Link` fields. `github.service.quota` contains the number of remaining requests. Responses have
/// entity tags. With `github.service.setRules { $0.tracksRevisions = true }`, a call by name that returns the response
/// receives a 304 if nothing has changed.
public struct GitHub: CatalogedService {
    /// The service that makes the requests.
    public var service: Service

    /// Paging by `Link` fields.
    public static var paging: PagingRule { .links }

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service }

    /// Creates the interface for `api.github.com`, with `uploads.github.com` for files of releases.
    public init(transport: any Transport = DefaultTransport.shared) {
        service = Service(GitHub.definition, transport: transport)
    }

    /// The name of the server for uploads of releases' files.
    static let uploadServer = "uploads"

    /// The service's description, with its tasks.
    public static let definition: ServiceDescription = {
        let tasks = repositoryTasks + issueTasks + releaseTasks + searchTasks
        var github = ServiceDescription("GitHub", at: "https://api.github.com", endpoints: tasks)
        github.summary = "Users, repositories, issues, pull requests and releases"
        github.servers.append(ServiceServer("https://uploads.github.com", name: uploadServer))
        github.headers = ["X-GitHub-Api-Version": "2022-11-28"]
        github.authorization = .optional(.bearer)
        github.rate = ServiceRate(tracksQuota: true)
        github.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        github.responseFormat = .media(MediaType("application", "vnd.github+json"))
        return github
    }()

    /// Sends a token with all requests, including those to the upload server.
    public mutating func authorize(token: Secret<String>) {
        let origins = service.definition.servers.compactMap { try? RequestURL($0.url).origin }
        service = service.with { $0.authorizers.append(.bearer(token).sharing(with: origins)) }
    }
}
