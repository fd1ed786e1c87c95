// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices
import SeedNetworks
import Testing

@Suite struct DefinitionTests {
    private static let definitions = [
        Twitter.definition, GNUSocial.definition, FriendFeed.definition, Facebook.definition, GitHubV2.definition,
        Mastodon.definition, GitHub.definition,
    ]

    @Test(arguments: definitions) func nothingIsWrongWithADescription(service: ServiceDescription) {
        #expect(service.verify() == [])
        #expect(service.summary != nil)
        #expect(service.maxConcurrentTasks == 12)
    }

    @Test(arguments: definitions) func aDescriptionIsReadBackAsItIsWritten(service: ServiceDescription) throws {
        #expect(try ServiceDescription(service.json) == service)
    }

    @Test func cocoaRESTsTasksAreThere() {
        #expect(Twitter.definition.endpoints.count == 35 + 4)
        #expect(Set(Twitter.definition.endpoints.map(\.name)).isSuperset(of: ["UnavorStatus", "GetPersonalTimeline"]))
        #expect(GNUSocial.definition.endpoints.count == 32)
    }
}
