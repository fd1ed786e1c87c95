// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
public import CumulusServices

/// identi.ca as of 2009, and GNU social, its successor, which still has Twitter's former API.
///
/// **identi.ca has another API today**; CocoaREST had one of its tasks, `GetPublicTimeline`. The others are Twitter's
/// under `api/`, without those for lists of blocked users. They are tested against our own server, not against GNU
/// social.
///
///     let social = GNUSocial(at: "https://social.example/api")
///     let statuses = try await social.publicTimeline()
public struct GNUSocial: TwitterCompatible {
    /// The service that makes the requests.
    public var service: Service

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service.sendingSource() }

    private static let foreign: Set = ["CheckIfBlockingUser", "GetBlockedUsers", "GetBlockedUserIDs"]

    /// The tasks, at their address of 2009.
    public static let definition: ServiceDescription = {
        let tasks = Twitter.tasks.filter { !foreign.contains($0.name) }
        var social = ServiceDescription("GNU social", at: "http://identi.ca/api", endpoints: tasks)
        social.summary = "identi.ca of 2009, and GNU social"
        Twitter.describe(&social)
        social.clientFields = ClientIdentity.Fields()
        social["GetPublicTimeline"]?.authorization = .anonymous
        return social
    }()
}
