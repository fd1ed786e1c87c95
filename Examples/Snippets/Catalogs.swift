// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusOAuth
import CumulusServices
import CumulusTesting

func mastodon(token: Secret<String>) async throws {
    // snippet.mastodon
    var mastodon = Mastodon(at: "https://mastodon.example")
    mastodon.service.authorize(token: token)
    let picture = try await mastodon.uploadMedia(.file("clouds.png"), description: "Clouds over the sea")
    let status = try await mastodon.createStatus("Fair weather", media: [picture], visibility: .unlisted)
    try await mastodon.service.call("FavouriteStatus", ["id": status.id]).send().requireSuccess()  // or by name
    // snippet.end
}

func signingIn(receiver: some RedirectReceiver, show: @escaping @Sendable (String) -> Void) async throws {
    var mastodon = Mastodon(at: "https://mastodon.example")
    // snippet.sign-in
    let app = try await mastodon.register(
        "Notes",
        redirectURIs: ["http://127.0.0.1/callback"],
        scopes: "read write"
    )
    let grant = OAuth2Grant.authorizationCode(client: app.client, receiver: receiver) { url in show(url) }
    mastodon.signIn(app, grant: grant, scope: "read write")
    let account = try await mastodon.verifyCredentials()  // the browser opens now
    // snippet.end
    print(account.username)
}

func github(token: Secret<String>) async throws {
    // snippet.github
    var github = GitHub()
    github.authorize(token: token)
    github.service.setRules { $0.rateLimit = .quota }  // waits when GitHub reports that nothing is left
    let issue = try await github.createIssue("Clouds are late", in: "ada", "weather", labels: ["bug"])
    _ = try await github.updateIssue(issue.number, of: "ada", "weather", state: .closed)
    let release = try await github.createRelease("v1.0", in: "ada", "weather")
    _ = try await github.uploadAsset(.file("clouds.zip"), named: "clouds.zip", to: release.id, in: "ada", "weather")
    // snippet.end
}

func paging() async throws {
    let mastodon = Mastodon(at: "https://mastodon.example")
    for try await status in try mastodon.pages("GetHomeTimeline", ["limit": 40], of: Mastodon.Status.self) {
        print(status.content)
    }
}

func changing() async throws {
    var definition = Mastodon.definition
    definition["GetBookmarks"] = EndpointDescription("GetBookmarks", template: "api/v1/bookmarks{?limit}")
    let mastodon = Mastodon(Service(definition, transport: DefaultTransport.shared))
    let bookmarks = try await mastodon.service.call("GetBookmarks", ["limit": 5], as: [Mastodon.Status].self).send()
    print(bookmarks.count)
}

func stubbing() async throws {
    let github = GitHub()
    github.service.setRules { $0.fixtureUse = .only }  // nothing is sent
    try github.service.stub("GetUser", with: .json(["login": "ada", "id": 17] as JSON))
    let user = try await github.user("ada")
    print(user.login)
}
