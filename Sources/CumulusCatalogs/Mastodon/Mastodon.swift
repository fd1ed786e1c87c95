// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusOAuth
public import CumulusServices

/// A Mastodon instance, used through version 1 of its API (version 2 for media and search).
///
/// It was written from Mastodon's documentation, and tested only against our own server, never against an instance.
///
///     var mastodon = Mastodon(at: "https://mastodon.example")
///     mastodon.service.authorize(token: token)
///     for status in try await mastodon.homeTimeline(limit: 40) { print(status.content) }
///
/// Lists are paged with `Link` fields. ``register(_:redirectURIs:scopes:website:)`` registers an application, and
/// ``signIn(_:grant:scope:store:)`` obtains tokens for it. `service.quota` contains the number of remaining requests.
public struct Mastodon: CatalogedService {
    /// The service that makes the requests.
    public var service: Service

    /// Paging by `Link` fields.
    public static var paging: PagingRule { .links }

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service }

    /// The service's description, with its tasks; its address is that of the Mastodon project's own instance.
    public static let definition: ServiceDescription = {
        let tasks = timelineTasks + statusTasks + accountTasks + otherTasks
        var mastodon = ServiceDescription("Mastodon", at: "https://mastodon.social", endpoints: tasks)
        mastodon.summary = "Statuses, accounts and media of an instance"
        mastodon.authorization = .optional(.oauth2(scopes: ["read", "write", "follow"]))
        mastodon.rate = ServiceRate(tracksQuota: true)
        mastodon.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        mastodon.responseFormat = .json
        return mastodon
    }()
}
