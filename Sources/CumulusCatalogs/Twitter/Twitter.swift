// SPDX-License-Identifier: Apache-2.0

public import Cumulus

/// Twitter as it was in 2009: version 1 of its interface, with Basic authentication, as CocoaREST spoke it.
///
/// **There is no such service any more.** The tasks, 35 of CocoaREST and four of a fork, are kept for programs that
/// come from there, and for servers that still speak so; they are tested against our own server. Tasks and parameters
/// keep CocoaREST's names: `service.call("GetUsersTimeline", ["screenName": "ada", "newerThanStatusID": 17])`.
///
///     let twitter = Twitter(at: "https://social.example")
///     twitter.service.authorize(user: "ada", password: password)
///     let statuses = try await twitter.personalTimeline(count: 20)
///
/// What the program is called, `service.client`, goes out in `X-Twitter-Client`, `-Version` and `-URL`. Other than with
/// CocoaREST, statuses count, `in_reply_to_status_id` is sent, and a task takes only the parameters that mean something
/// to it.
public struct Twitter: TwitterCompatible {
    /// The service that makes the requests.
    public var service: Service

    /// Takes a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service }

    /// Where search was, among the servers.
    static let searchServer = "search"
    /// Where Yahoo's query language was.
    static let yqlServer = "yql"

    /// The tasks, at the addresses of 2009.
    public static let definition: ServiceDescription = {
        var twitter = ServiceDescription("Twitter", at: "http://twitter.com", endpoints: tasks + extraTasks)
        twitter.summary = "Version 1 of Twitter's interface, which is gone"
        twitter.servers += [
            ServiceServer("http://search.twitter.com", name: searchServer),
            ServiceServer("http://query.yahooapis.com", name: yqlServer),
        ]
        describe(&twitter)
        return twitter
    }()

    /// What is common to all who speak like Twitter.
    static func describe(_ service: inout ServiceDescription) {
        service.clientFields = ClientIdentity.Fields(
            name: "X-Twitter-Client",
            version: "X-Twitter-Client-Version",
            contact: "X-Twitter-Client-URL"
        )
        service.authorization = .optional(.basic)
        service.errors = .members("error")
        service.rate = ServiceRate(tracksQuota: true)
        service.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        service.bodyFormat = .form
        service.responseFormat = .json
    }
}
