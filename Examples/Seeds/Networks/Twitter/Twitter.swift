// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
public import CumulusServices

/// Twitter as of 2009: version 1 of its API, with Basic authentication, as in CocoaREST.
///
/// **This service no longer exists.** The tasks, 35 from CocoaREST and four from a fork, are kept for programs that
/// come from there, and for servers that still have this API; they are tested against our own server. Tasks and
/// parameters keep CocoaREST's names: `service.call("GetUsersTimeline", ["screenName": "ada", "newerThanStatusID":
/// 17])`.
///
///     var twitter = Twitter(at: "https://social.example")
///     twitter.service.authorize(user: "ada", password: password)
///     let statuses = try await twitter.personalTimeline(count: 20)
///
/// The program's identity, `service.client`, is sent in `X-Twitter-Client`, `-Version` and `-URL`. In contrast to
/// CocoaREST, statuses are checked, `in_reply_to_status_id` is sent, and a task only accepts the parameters that it
/// uses.
public struct Twitter: TwitterCompatible {
    /// The service that makes the requests.
    public var service: Service

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service.sendingSource() }

    /// The name of the former search server.
    static let searchServer = "search"
    /// The name of the former server for Yahoo's query language.
    static let yqlServer = "yql"

    /// The tasks, at their addresses of 2009.
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

    /// Adds what all services with Twitter's API have in common.
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
