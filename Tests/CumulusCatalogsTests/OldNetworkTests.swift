// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusTesting
import SeedNetworks
import Testing

@Suite struct OldNetworkTests {
    @Test func eachTaskOfGNUSocialSendsWhatItsTableSays() async throws {
        try await LoopbackCatalog.check(TwitterTasks<GNUSocial>.all, of: GNUSocial.definition) { url in
            let social = GNUSocial(at: url)
            social.service.setRules { $0.client = ClientIdentity(name: "Notes") }
            return social
        }
    }

    @Test func eachTaskOfFriendFeedSendsWhatItsTableSays() async throws {
        let tasks: [CatalogTask<FriendFeed>] = [
            CatalogTask("GetPublicTimeline", "GET", "/api/feed/home", answer: CannedAnswer(.text("a feed"), "a feed")) {
                try await $0.publicTimeline()
            },
            CatalogTask("GetUserPicture", "GET", "/ada/picture", "size=medium", ["username": "ada"], answer: .image) {
                let image = try await $0.userPicture("ada")
                return image.format.rawValue
            },
        ]
        try await LoopbackCatalog.check(tasks, of: FriendFeed.definition) { FriendFeed(at: $0) }
    }

    @Test func eachTaskOfGitHubV2SendsWhatItsTableSays() async throws {
        typealias Row = CatalogTask<GitHubV2>
        let proof = "login=ada&token=t0k3n"
        let tasks = [
            Row("GetRepos", "GET", "/repos/show/ada", proof, ["user": "ada"], answer: .object) {
                try await $0.repositories(of: "ada").description
            },
            Row(
                "GetRepoNetwork",
                "GET",
                "/repos/show/ada/sky/network",
                proof,
                ["user": "ada", "repo": "sky"],
                answer: .object
            ) {
                try await $0.network(of: "ada", "sky").description
            },
            Row("UserShow", "GET", "/user/show/ada", proof, ["user": "ada"], answer: .object) {
                try await $0.user("ada").description
            },
            Row(
                "UserUpdate",
                "POST",
                "/user/show/ada",
                "\(proof)&values[company]=Sky & Co&values[location]=London",
                ["login": "ada", "company": "Sky & Co", "location": "London"],
                answer: .object
            ) { try await $0.update("ada", company: "Sky & Co", location: "London").description },
        ]
        try await LoopbackCatalog.check(tasks, of: GitHubV2.definition) { url in
            var github = GitHubV2(at: url)
            github.authorize(login: "ada", token: "t0k3n")
            return github
        }
    }
}
