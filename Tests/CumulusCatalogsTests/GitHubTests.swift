// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices
import CumulusTestServer
import CumulusTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct GitHubTests {
    private typealias Row = CatalogTask<GitHub>
    private typealias Answer = GitHubAnswer

    private static let sky = "/repos/ada/sky"
    private static var place: EndpointArguments { ["owner": "ada", "repo": "sky"] }
    private static var seven: EndpointArguments { place.merging(["number": 7]) }

    private static var repositories: [Row] {
        [
            Row("GetAuthenticatedUser", "GET", "/user", answer: Answer.user) { try await $0.authenticatedUser().shown },
            Row("GetUser", "GET", "/users/ada", "", ["login": "ada"], answer: Answer.user) {
                try await $0.user("ada").shown
            },
            Row(
                "GetRepositories",
                "GET",
                "/users/ada/repos",
                "page=2&per_page=5",
                ["login": "ada", "perPage": 5, "page": 2],
                answer: Answer.repositories
            ) { try await $0.repositories(of: "ada", perPage: 5, page: 2).shown },
            Row("GetRepository", "GET", sky, "", place, answer: Answer.repository) {
                try await $0.repository("ada", "sky").shown
            },
            Row(
                "SearchRepositories",
                "GET",
                "/search/repositories",
                "q=sky",
                sought,
                answer: Answer.found("repository")
            ) {
                try await $0.searchRepositories("sky").shown
            },
            Row("SearchIssues", "GET", "/search/issues", "q=sky", sought, answer: Answer.found("issue")) {
                try await $0.searchIssues("sky").shown
            },
            Row("SearchUsers", "GET", "/search/users", "q=sky", sought, answer: Answer.found("user")) {
                try await $0.searchUsers("sky").shown
            },
            Row("GetRateLimit", "GET", "/rate_limit", answer: .object) { try await $0.rateLimit().description },
        ]
    }

    private static var sought: EndpointArguments { ["query": "sky"] }

    private static var issues: [Row] {
        [
            Row(
                "GetIssues",
                "GET",
                "\(sky)/issues",
                "labels=bug,late&page=2&state=all",
                place.merging(["state": "all", "labels": "bug,late", "page": 2]),
                answer: Answer.issues
            ) { try await $0.issues(of: "ada", "sky", state: .all, labels: ["bug", "late"], page: 2).shown },
            Row("GetIssue", "GET", "\(sky)/issues/7", "", seven, answer: Answer.issue) {
                try await $0.issue(7, of: "ada", "sky").shown
            },
            Row(
                "CreateIssue",
                "POST",
                "\(sky)/issues",
                #"{"title":"Clouds","body":"Late","labels":["bug"]}"#,
                place.merging(["title": "Clouds", "body": "Late", "labels": ["bug"]]),
                answer: Answer.issue
            ) { try await $0.createIssue("Clouds", in: "ada", "sky", body: "Late", labels: ["bug"]).shown },
            Row(
                "UpdateIssue",
                "PATCH",
                "\(sky)/issues/7",
                #"{"state":"closed","assignees":[]}"#,
                seven.merging(["state": "closed", "assignees": [String]()]),
                answer: Answer.issue
            ) { try await $0.updateIssue(7, of: "ada", "sky", state: .closed, assignees: []).shown },
            Row("GetComments", "GET", "\(sky)/issues/7/comments", "", seven, answer: Answer.comments) {
                try await $0.comments(on: 7, of: "ada", "sky").shown
            },
            Row(
                "CreateComment",
                "POST",
                "\(sky)/issues/7/comments",
                #"{"body":"Me too"}"#,
                seven.merging(["body": "Me too"]),
                answer: Answer.comment
            ) { try await $0.createComment("Me too", on: 7, of: "ada", "sky").shown },
            Row("GetPulls", "GET", "\(sky)/pulls", "state=open", place.merging(["state": "open"]), answer: Answer.pulls)
            {
                try await $0.pulls(of: "ada", "sky", state: .open).shown
            },
            Row("GetPull", "GET", "\(sky)/pulls/7", "", seven, answer: Answer.pull) {
                try await $0.pull(7, of: "ada", "sky").shown
            },
            Row(
                "CreatePull",
                "POST",
                "\(sky)/pulls",
                #"{"title":"Rain","head":"rain","base":"main","draft":true}"#,
                place.merging(["title": "Rain", "head": "rain", "base": "main", "draft": true]),
                answer: Answer.pull
            ) { try await $0.createPull("Rain", merging: "rain", into: "main", in: "ada", "sky", isDraft: true).shown },
        ]
    }

    private static var releases: [Row] {
        [
            Row("GetReleases", "GET", "\(sky)/releases", "", place, answer: Answer.releases) {
                try await $0.releases(of: "ada", "sky").shown
            },
            Row("GetLatestRelease", "GET", "\(sky)/releases/latest", "", place, answer: Answer.release) {
                try await $0.latestRelease(of: "ada", "sky").shown
            },
            Row(
                "CreateRelease",
                "POST",
                "\(sky)/releases",
                #"{"tag_name":"v1","name":"One","prerelease":true}"#,
                place.merging(["tag": "v1", "name": "One", "prerelease": true]),
                answer: Answer.release
            ) { try await $0.createRelease("v1", in: "ada", "sky", name: "One", isPrerelease: true).shown },
            Row("GetReleaseAssets", "GET", "\(sky)/releases/5/assets", "", fifth, answer: Answer.assets) {
                try await $0.assets(of: 5, in: "ada", "sky").shown
            },
            Row(
                "UploadReleaseAsset",
                "POST",
                "\(sky)/releases/5/assets",
                "application/zip=PK!&label=The sky&name=a.zip",
                fifth.merging(["name": "a.zip", "label": "The sky"]),
                answer: Answer.asset,
                body: archive
            ) { try await $0.uploadAsset(archive, named: "a.zip", to: 5, in: "ada", "sky", label: "The sky").shown },
            Row("DownloadReleaseAsset", "GET", "\(sky)/releases/assets/9", "", ninth, answer: bytes) { github in
                let folder = try TemporaryFolder()
                return "\(try await github.downloadAsset(9, of: "ada", "sky", to: "\(folder.path)/a").byteCount)"
            },
            Row("DeleteReleaseAsset", "DELETE", "\(sky)/releases/assets/9", "", ninth, answer: .nothing) {
                try await $0.deleteAsset(9, of: "ada", "sky")
                return "done"
            },
        ]
    }

    private static var fifth: EndpointArguments { place.merging(["release": 5]) }
    private static var ninth: EndpointArguments { place.merging(["asset": 9]) }
    private static let archive = Payload.bytes(Array("PK!".utf8), type: MediaType("application", "zip"))
    private static let bytes = CannedAnswer(.bytes(Array("PK!".utf8), type: .bytes), "3")

    @Test func eachTaskSendsWhatTheDocumentationSays() async throws {
        try await LoopbackCatalog.check(
            Self.repositories + Self.issues + Self.releases,
            of: GitHub.definition,
            headers: ["X-GitHub-Api-Version": "2022-11-28", "Authorization": "Bearer t0k3n"]
        ) { url in
            var github = GitHub(at: url)
            github.authorize(token: "t0k3n")
            return github
        }
    }

    @Test func filesGoToTheServerForUploads() async throws {
        let transport = StubTransport { _ in .json(#"{"id":1,"name":"a"}"#) }
        var github = GitHub(transport: transport)
        github.authorize(token: "t0k3n")
        _ = try await github.uploadAsset(Self.archive, named: "a", to: 5, in: "ada", "sky")
        let request = try #require(transport.lastRequest)
        #expect(request.url == "https://uploads.github.com/repos/ada/sky/releases/5/assets?name=a")
        #expect(request.headers[.authorization] == "Bearer t0k3n")
    }

    @Test func aDownloadThatIsRedirectedLeavesTheTokenBehind() async throws {
        try await withLoopbackServer { routes in
            routes.get("/file") { request in
                #expect(request.headers[.authorization] == nil)
                return .bytes(Array("PK!".utf8), type: .bytes)
            }
        } _: { storage in
            let place = "http://localhost:\(storage.port)/file"
            try await withLoopbackServer { routes in
                routes.get("\(Self.sky)/releases/assets/9") { request in
                    #expect(request.headers[.accept] == "application/octet-stream")
                    return .redirect(to: place)
                }
            } _: { server in
                var github = GitHub(at: server.url)
                github.authorize(token: "t0k3n")
                let folder = try TemporaryFolder()
                let file = try await github.downloadAsset(9, of: "ada", "sky", to: "\(folder.path)/a")
                #expect(file.byteCount == 3)
                #expect(storage.requests.count == 1)
            }
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        try await withLoopbackServer { routes in
            routes.get("/users/ada") { request in
                request.headers[.ifNoneMatch] == "\"v1\""
                    ? .status(.notModified) : .json(#"{"login":"ada","id":17}"#, headers: ["ETag": "\"v1\""])
            }
        } _: { server in
            let github = GitHub(at: server.url)
            github.service.setRules { $0.tracksRevisions = true }
            let first = try await github.service.call("GetUser", ["login": "ada"]).send()
            let second = try await github.service.call("GetUser", ["login": "ada"]).send()
            #expect(first.statusCode == 200 && second.isNotModified)
            let user = try await github.user("ada")
            #expect(user.id == 17)
        }
    }

    @Test func theQuotaIsKept() async throws {
        let headers: Headers = [
            "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4999", "X-RateLimit-Resource": "core",
        ]
        let transport = StubTransport { _ in .json(#"{"login":"ada","id":17}"#, headers: headers) }
        let github = GitHub(at: "http://a.example", transport: transport)
        _ = try await github.user("ada")
        #expect(github.service.quota?.remaining == 4999)
    }
}
