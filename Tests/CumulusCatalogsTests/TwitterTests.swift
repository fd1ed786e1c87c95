// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusTestServer
import CumulusTesting
import SeedNetworks
import Testing

@Suite(.timeLimit(.minutes(10))) struct TwitterTests {
    private typealias Row = CatalogTask<Twitter>

    private static var own: [Row] {
        [
            Row(
                "CheckIfBlockingUser",
                "GET",
                "/blocks/exists.json",
                "screen_name=ada",
                ["screenName": "ada"],
                answer: .user
            ) {
                try await $0.blockedUser("ada").shown
            },
            Row("GetBlockedUsers", "GET", "/blocks/blocking.json", "page=2", ["page": 2], answer: .users) {
                try await $0.blockedUsers(page: 2).shown
            },
            Row("GetBlockedUserIDs", "GET", "/blocks/blocking/ids.json", answer: .numbers) {
                "\(try await $0.blockedUserIDs())"
            },
            Row(
                "Search",
                "GET",
                "/search.json",
                "page=2&q=rain&rpp=5",
                ["query": "rain", "count": 5, "page": 2],
                answer: .object
            ) {
                try await $0.search("rain", count: 5, page: 2).description
            },
            Row("Trends", "GET", "/trends.json", answer: .object) { try await $0.trends().description },
            Row("GetRateLimitStatus", "GET", "/account/rate_limit_status.json", answer: .object) {
                try await $0.rateLimitStatus().description
            },
            Row(
                "GetUserInfoUsingYQL",
                "GET",
                "/v1/public/yql",
                "format=json&q=select 1",
                ["query": "select 1"],
                answer: .object
            ) {
                try await $0.userInfo(usingYQL: "select 1").description
            },
        ]
    }

    private static let identity = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example")

    @Test func statusNamesTheProgramByTaskAndByType() async throws {
        let transport = StubTransport { _ in .json(#"{"id":1,"text":"x"}"#) }
        let twitter = Twitter(at: "http://social.example", transport: transport)
        _ = try await twitter.service.call("CreateStatus", ["text": "Rain"]).send()
        twitter.service.setRules { $0.client = Self.identity }
        _ = try await twitter.service.call("CreateStatus", ["text": "Rain"]).send()
        _ = try await twitter.service.call("CreateStatus", ["text": "Rain", "source": "web"]).send()
        _ = try await twitter.createStatus("Rain")
        #expect(
            transport.requests.map(\.text) == [
                "status=Rain", "status=Rain&source=Notes", "status=Rain&source=web", "status=Rain&source=Notes",
            ]
        )
    }

    @Test func eachTaskSendsWhatItsTableSays() async throws {
        let headers = [
            "X-Twitter-Client": "Notes", "X-Twitter-Client-Version": "2.1",
            "X-Twitter-Client-URL": "https://notes.example", "Accept": "application/json",
        ]
        try await LoopbackCatalog.check(
            TwitterTasks<Twitter>.all + Self.own,
            of: Twitter.definition,
            headers: headers
        ) { url in
            let twitter = Twitter(at: url)
            twitter.service.setRules { $0.client = Self.identity }
            return twitter
        }
    }

    @Test func theUsersPasswordGoesAlongWhereThereIsOne() async throws {
        try await withLoopbackServer { routes in
            routes.get("/*") { request in .json(request.headers[.authorization] == nil ? "[1]" : "[2]") }
        } _: { server in
            var twitter = Twitter(at: server.url)
            let anonymous = try await twitter.idsOfFriends()
            #expect(anonymous == [1])
            twitter.service.authorize(user: "ada", password: "lovelace")
            #expect(try await twitter.idsOfFriends() == [2])
            let proof = try #require(server.requests.last?.headers[.authorization])
            #expect(proof == "Basic YWRhOmxvdmVsYWNl")
            // Search was on another server, which required no password.
            #expect(try await twitter.trends() == [1])
        }
    }

    @Test func anErrorInAnAnswerIsThrownWithItsMessage() async throws {
        try await withLoopbackServer { routes in
            routes.get("/statuses/show.json") { _ in
                .json(#"{"request":"/statuses/show.json","error":"No status found with that ID."}"#, status: .notFound)
            }
        } _: { server in
            let error = await #expect(throws: CumulusError.self) { try await Twitter(at: server.url).status(1) }
            #expect(error?.code == .service)
            #expect((error?.cause as? ServiceError)?.message == "No status found with that ID.")
        }
    }

    @Test func theQuotaOfEachAnswerIsKept() async throws {
        try await withLoopbackServer { routes in
            routes.get("/*") { _ in
                .json("[]", headers: ["X-RateLimit-Limit": "150", "X-RateLimit-Remaining": "42"])
            }
        } _: { server in
            let twitter = Twitter(at: server.url)
            #expect(twitter.service.quota == nil)
            _ = try await twitter.publicTimeline()
            #expect(twitter.service.quota?.limit == 150)
            #expect(twitter.service.quota?.remaining == 42)
        }
    }

    @Test func whatATaskDoesNotTakeIsRefused() async throws {
        let transport = StubTransport { _ in .json("[]") }
        let twitter = Twitter(at: "http://a.example", transport: transport)
        await #expect(throws: CumulusError.self) { try await twitter.service.call("GetStatus").send() }
        await #expect(throws: CumulusError.self) {
            try await twitter.service.call("GetPublicTimeline", ["page": 2]).send()
        }
        await #expect(throws: CumulusError.self) {
            try await twitter.createDirectMessage("Psst", to: .either("ada"))
        }
        await #expect(throws: CumulusError.self) {
            try await twitter.service.call("UpdateDeliveryDevice", ["deviceType": "fax"]).send()
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func aCopyOfATaskAsksForTheNextPage() async throws {
        let transport = StubTransport { _ in .json("[]") }
        let twitter = Twitter(at: "http://a.example", transport: transport)
        var task = twitter.service.call("GetMentions", ["count": 20], as: [Twitter.Status].self)
        _ = try await task.send()
        for page in 2...3 {
            task.query["page"] = page
            _ = try await task.send()
        }
        let targets = transport.requests.map(\.url)
        #expect(targets == ["", "&page=2", "&page=3"].map { "http://a.example/statuses/mentions.json?count=20\($0)" })
    }

    @Test func pagesAreCountedUntilOneIsEmpty() async throws {
        let transport = StubTransport { request in
            .json(request.number < 3 ? "[\(request.number)]" : "[]")
        }
        let twitter = Twitter(at: "http://a.example", transport: transport)
        var ids: [Int64] = []
        for try await id in try twitter.pages("GetIDsOfFriends", ["screenName": "ada"], of: Int64.self) {
            ids.append(id)
        }
        #expect(ids == [1, 2])
        #expect(transport.requests.map(\.query) == ["", "&page=2", "&page=3"].map { "screen_name=ada\($0)" })
        #expect(throws: CumulusError.self) { try twitter.pages("CreateStatus", ["text": "a"], of: Int64.self) }
    }

    @Test func settingsForAFewCallsLeaveTheOthersAlone() async throws {
        let transport = StubTransport { _ in .json("[]") }
        let twitter = Twitter(at: "http://a.example", transport: transport)
        let quick = twitter.with { $0.headers["X-Run"] = "1" }
        _ = try await quick.publicTimeline()
        _ = try await twitter.publicTimeline()
        let name = try #require(HTTPField.Name("X-Run"))
        #expect(transport.requests.map { $0.headers[name] } == ["1", nil])
    }
}
