// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import SeedNetworks

/// The samples in docstrings of CocoaREST's networks.
enum DocstringsNetworks {
    static func oldGitHub(token: Secret<String>) async throws {
        // snippet.github-v2
        var github = GitHubV2(at: "https://code.example/api/v2/json")
        github.authorize(login: "ada", token: token)
        let repositories = try await github.repositories(of: "ada")
        // snippet.end
        print(repositories)
    }

    static func facebook(secret: Secret<String>) async throws {
        // snippet.facebook
        let app = Facebook(at: "https://book.example", key: "a1", secret: secret)
        let login = try await app.loginURL()  // open it; then
        let session = try await app.finishLogin(login.token)
        let friends = try await app.with(session).friends()
        // snippet.end
        print(friends)
    }

    static func friendFeed() async throws {
        // snippet.friend-feed
        let feed = FriendFeed(at: "https://feed.example")
        let picture = try await feed.userPicture("ada")
        // snippet.end
        print(picture)
    }

    static func gnuSocial() async throws {
        // snippet.gnu-social
        let social = GNUSocial(at: "https://social.example/api")
        let statuses = try await social.publicTimeline()
        // snippet.end
        print(statuses.count)
    }

    static func twitter(password: Secret<String>) async throws {
        // snippet.twitter
        var twitter = Twitter(at: "https://social.example")
        twitter.service.authorize(user: "ada", password: password)
        let statuses = try await twitter.personalTimeline(count: 20)
        // snippet.end
        print(statuses.count)
    }
}
