// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusOAuth
import CumulusServices
import CumulusTestServer
import CumulusTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct MastodonTests {
    private typealias Row = CatalogTask<Mastodon>
    private typealias Answer = MastodonAnswer

    private static var timelines: [Row] {
        [
            Row(
                "GetHomeTimeline",
                "GET",
                "/api/v1/timelines/home",
                "limit=5&max_id=4&min_id=2&since_id=3",
                ["limit": 5, "maxID": "4", "sinceID": "3", "minID": "2"],
                answer: Answer.statuses
            ) { try await $0.homeTimeline(limit: 5, maxID: "4", sinceID: "3", minID: "2").shown },
            Row(
                "GetPublicTimeline",
                "GET",
                "/api/v1/timelines/public",
                "limit=5",
                ["limit": 5],
                answer: Answer.statuses
            ) {
                try await $0.publicTimeline(limit: 5).shown
            },
            Row("GetLocalTimeline", "GET", "/api/v1/timelines/public", "local=true", answer: Answer.statuses) {
                try await $0.localTimeline().shown
            },
            Row(
                "GetHashtagTimeline",
                "GET",
                "/api/v1/timelines/tag/sky",
                "",
                ["hashtag": "sky"],
                answer: Answer.statuses
            ) {
                try await $0.hashtagTimeline("sky").shown
            },
            Row("GetListTimeline", "GET", "/api/v1/timelines/list/3", "min_id=9", listed, answer: Answer.statuses) {
                try await $0.listTimeline("3", minID: "9").shown
            },
            Row("GetLists", "GET", "/api/v1/lists", answer: Answer.lists) { try await $0.lists().shown },
            Row("GetFavourites", "GET", "/api/v1/favourites", "limit=2", ["limit": 2], answer: Answer.statuses) {
                try await $0.favourites(limit: 2).shown
            },
            Row(
                "GetNotifications",
                "GET",
                "/api/v1/notifications",
                "limit=5&types[]=follow&types[]=mention",
                ["types": ["mention", "follow"], "limit": 5],
                answer: Answer.notifications
            ) { try await $0.notifications(types: ["mention", "follow"], limit: 5).shown },
            Row("DismissNotification", "POST", "/api/v1/notifications/5/dismiss", "", ["id": "5"], answer: .nothing) {
                try await $0.dismissNotification("5")
                return "done"
            },
            Row("ClearNotifications", "POST", "/api/v1/notifications/clear", answer: .nothing) {
                try await $0.clearNotifications()
                return "done"
            },
        ]
    }

    private static var listed: EndpointArguments { ["listID": 3, "minID": "9"] }
    private static var nine: EndpointArguments { ["id": "9"] }
    private static var seventeen: EndpointArguments { ["id": "17"] }

    private static var statuses: [Row] {
        [
            Row("GetStatus", "GET", "/api/v1/statuses/9", "", nine, answer: Answer.status) {
                try await $0.status("9").shown
            },
            Row("GetStatusContext", "GET", "/api/v1/statuses/9/context", "", nine, answer: Answer.context) {
                try await $0.context(of: "9").ancestors.shown
            },
            Row(
                "CreateStatus",
                "POST",
                "/api/v1/statuses",
                #"{"status":"Clouds","media_ids":["22"],"in_reply_to_id":"9","visibility":"unlisted"}"#,
                ["status": "Clouds", "mediaIDs": ["22"], "inReplyToID": "9", "visibility": "unlisted"],
                answer: Answer.status
            ) {
                let media = try JSON(parsing: #"{"id":"22"}"#).decode(as: Mastodon.Media.self)
                let status = try await $0.createStatus("Clouds", inReplyTo: "9", media: [media], visibility: .unlisted)
                return status.shown
            },
            Row("EditStatus", "PUT", "/api/v1/statuses/9", #"{"status":"Rain"}"#, edited, answer: Answer.status) {
                try await $0.editStatus("9", "Rain").shown
            },
            Row("DeleteStatus", "DELETE", "/api/v1/statuses/9", "", nine, answer: Answer.status) {
                try await $0.deleteStatus("9").shown
            },
            Row("FavouriteStatus", "POST", "/api/v1/statuses/9/favourite", "", nine, answer: Answer.status) {
                try await $0.favourite("9").shown
            },
            Row("UnfavouriteStatus", "POST", "/api/v1/statuses/9/unfavourite", "", nine, answer: Answer.status) {
                try await $0.unfavourite("9").shown
            },
            Row("BoostStatus", "POST", "/api/v1/statuses/9/reblog", "", nine, answer: Answer.status) {
                try await $0.boost("9").shown
            },
            Row("UnboostStatus", "POST", "/api/v1/statuses/9/unreblog", "", nine, answer: Answer.status) {
                try await $0.unboost("9").shown
            },
            Row(
                "UploadMedia",
                "POST",
                "/api/v2/media",
                "description=A cloud&file=a.png image/png",
                media,
                answer: Answer.media
            ) {
                try await $0.uploadMedia(.bytes([1, 2] as [UInt8], fileName: "a.png"), description: "A cloud").shown
            },
            Row("GetMedia", "GET", "/api/v1/media/9", "", nine, answer: Answer.media) { try await $0.media("9").shown },
        ]
    }

    private static var edited: EndpointArguments { ["id": "9", "status": "Rain"] }
    private static var media: EndpointArguments {
        var arguments: EndpointArguments = ["description": "A cloud"]
        arguments.attach(.bytes([1, 2] as [UInt8], fileName: "a.png"), for: "file")
        return arguments
    }

    private static var accounts: [Row] {
        [
            Row("VerifyCredentials", "GET", "/api/v1/accounts/verify_credentials", answer: Answer.account) {
                try await $0.verifyCredentials().shown
            },
            Row("GetAccount", "GET", "/api/v1/accounts/17", "", seventeen, answer: Answer.account) {
                try await $0.account("17").shown
            },
            Row(
                "LookUpAccount",
                "GET",
                "/api/v1/accounts/lookup",
                "acct=ada",
                ["account": "ada"],
                answer: Answer.account
            ) {
                try await $0.account(named: "ada").shown
            },
            Row(
                "GetAccountStatuses",
                "GET",
                "/api/v1/accounts/17/statuses",
                "exclude_replies=true&limit=3",
                ["id": 17, "excludeReplies": true, "limit": 3],
                answer: Answer.statuses
            ) { try await $0.statuses(of: "17", excludesReplies: true, limit: 3).shown },
            Row("GetFollowers", "GET", "/api/v1/accounts/17/followers", "", seventeen, answer: Answer.accounts) {
                try await $0.followers(of: "17").shown
            },
            Row("GetFollowing", "GET", "/api/v1/accounts/17/following", "", seventeen, answer: Answer.accounts) {
                try await $0.following(of: "17").shown
            },
            Row(
                "FollowAccount",
                "POST",
                "/api/v1/accounts/17/follow",
                #"{"reblogs":false,"notify":true}"#,
                ["id": "17", "showsBoosts": false, "notifies": true],
                answer: Answer.relation
            ) { try await $0.follow("17", showsBoosts: false, notifies: true).shown },
            Row("UnfollowAccount", "POST", "/api/v1/accounts/17/unfollow", "", seventeen, answer: Answer.relation) {
                try await $0.unfollow("17").shown
            },
            Row(
                "GetRelationships",
                "GET",
                "/api/v1/accounts/relationships",
                "id[]=17&id[]=4",
                ["ids": ["17", "4"]],
                answer: Answer.relations
            ) { try await $0.relationships(with: ["17", "4"]).shown },
            Row(
                "Search",
                "GET",
                "/api/v2/search",
                "limit=2&q=sky",
                ["query": "sky", "limit": 2],
                answer: Answer.results
            ) {
                try await $0.search("sky", limit: 2).shown
            },
            Row("GetInstance", "GET", "/api/v2/instance", answer: .object) { try await $0.instance().description },
            Row(
                "RegisterApplication",
                "POST",
                "/api/v1/apps",
                #"{"client_name":"Notes","redirect_uris":"a:b\nc:d","scopes":"read write"}"#,
                ["name": "Notes", "redirectURIs": "a:b\nc:d", "scopes": "read write"],
                answer: CannedAnswer(json: #"{"client_id":"i","client_secret":"s"}"#, "i s")
            ) {
                let made = try await $0.register("Notes", redirectURIs: ["a:b", "c:d"], scopes: "read write")
                return "\(made.clientID) \(made.clientSecret.revealed)"
            },
        ]
    }

    @Test func eachTaskSendsWhatTheDocumentationSays() async throws {
        let tasks = Self.timelines + Self.statuses + Self.accounts
        try await LoopbackCatalog.check(tasks, of: Mastodon.definition, headers: ["Accept": "application/json"]) {
            Mastodon(at: $0)
        }
    }

    @Test func pagesAreFollowedByTheirLinks() async throws {
        let next: Headers = ["Link": #"<http://a.example/api/v1/timelines/home?max_id=7>; rel="next""#]
        let transport = StubTransport { request in
            request.number == 1
                ? .json(#"[{"id":"8","content":""}]"#, headers: next) : .json(#"[{"id":"6","content":""}]"#)
        }
        let mastodon = Mastodon(at: "http://a.example", transport: transport)
        var ids: [String] = []
        for try await status in try mastodon.pages("GetHomeTimeline", of: Mastodon.Status.self) {
            ids.append(status.id)
        }
        #expect(ids == ["8", "6"])
    }

    @Test func aStatusHasItsKeyInAHeader() async throws {
        let transport = StubTransport { _ in .json(#"{"id":"1","content":""}"#) }
        _ = try await Mastodon(at: "http://a.example", transport: transport).createStatus("a", idempotencyKey: "k")
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        #expect(transport.lastRequest?.headers[name] == "k")
    }

    @Test func anApplicationIsRegisteredAndSignsIn() async throws {
        let identities = OAuth2Service()
        try await withLoopbackServer { routes in
            identities.install(in: &routes)
            routes.post("/api/v1/apps") { request in
                #expect(request.headers[.authorization] == nil)
                return .json(#"{"client_id":"atlas","client_secret":"s3cret"}"#)
            }
            routes.get("/api/v1/timelines/public") { request in
                identities.accepts(request.headers[.authorization])
                    ? .json("[]") : .json(#"{"error":"The access token is invalid"}"#, status: .unauthorized)
            }
        } _: { server in
            var mastodon = Mastodon(at: server.url)
            await #expect(throws: CumulusError.self) { try await mastodon.publicTimeline() }
            let application = try await mastodon.register("Notes")
            mastodon.signIn(application, scope: "read")
            #expect(try await mastodon.publicTimeline() == [])
            #expect(identities.count(of: "client_credentials") == 1)
            // A second registration sends no token.
            _ = try await mastodon.register("Notes")
            #expect(!"\(application)\(String(reflecting: application))".contains("s3cret"))
        }
    }

    @Test func aPersonSignsInWithABrowser() async throws {
        let identities = OAuth2Service()
        try await withLoopbackServer { routes in
            identities.install(in: &routes)
            routes.get("/api/v1/accounts/verify_credentials") { request in
                identities.accepts(request.headers[.authorization])
                    ? .json(#"{"id":"17","username":"ada"}"#) : .status(.unauthorized)
            }
        } _: { server in
            var mastodon = Mastodon(at: server.url)
            let application = Mastodon.Application(clientID: "atlas", clientSecret: "s3cret")
            let browser = Browser()
            let grant = OAuth2Grant.authorizationCode(client: application.client, receiver: browser) { url in
                try await browser.open(url)
            }
            mastodon.signIn(application, grant: grant, scope: "read write")
            let account = try await mastodon.verifyCredentials()
            #expect(account.username == "ada")
            #expect(identities.count(of: "authorization_code") == 1)
        }
    }
}
