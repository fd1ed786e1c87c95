// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusTesting
import SeedNetworks
import Testing

/// The signatures were computed with Python's hashlib.
@Suite struct FacebookTests {
    private typealias Row = CatalogTask<Facebook>

    private static let place = "/restserver.php"
    private static let session = Facebook.Session(key: "k9", secret: "ses-secret", userID: 17)

    private static func app(_ url: String) -> Facebook { Facebook(at: url, key: "a1", secret: "app-secret") }

    private static var logins: [Row] {
        [
            Row(
                "GetLoginURL",
                "GET",
                place,
                "api_key=a1&format=JSON&method=Auth.createToken&sig=f73696926924f824b6a3c062c52c8dbf&v=1.0",
                answer: CannedAnswer(json: #""t0""#, "/login.php?api_key=a1&v=1.0&auth_token=t0 t0")
            ) {
                let login = try await $0.loginURL()
                let place = try RequestURL(login.url)
                return "\(place.target) \(login.token.revealed)"
            },
            Row(
                "FinishLoginProcess",
                "GET",
                place,
                "api_key=a1&auth_token=t0&format=JSON&method=Auth.getSession&sig=f288805165741467b400a69fc8dd5f79&v=1.0",
                ["authToken": "t0"],
                answer: CannedAnswer(
                    json: #"{"session_key":"k9","uid":17,"expires":0,"secret":"ses-secret"}"#,
                    "17 ses-secret~k9 never"
                )
            ) {
                let session = try await $0.finishLogin("t0")
                let end = session.expires == nil ? "never" : "some day"
                return "\(session.userID) \(session.credentials.revealed) \(end)"
            },
            Row(
                "GetAppPermissions",
                "GET",
                place,
                "api_key=a1&ext_perm=sms&format=JSON&method=Users.hasAppPermission&session_key=k9&sig=ced449774222086c0577359b6bca3a82&v=1.0",
                ["permission": "sms"],
                answer: CannedAnswer(json: #""1""#, "true")
            ) { "\(try await $0.hasPermission("sms"))" },
        ]
    }

    private static var others: [Row] {
        [
            Row(
                "GetFriends",
                "GET",
                place,
                "api_key=a1&format=JSON&method=Friends.get&session_key=k9&sig=453d91b4d85ea6410e91bb72cdc56032&v=1.0",
                answer: .numbers
            ) {
                "\(try await $0.friends())"
            },
            Row(
                "GetUserInfo",
                "GET",
                place,
                "api_key=a1&fields=name&format=JSON&method=Users.getInfo&session_key=k9&sig=15cad9c9ddf03acc7e82df3072b9dab0&uids=17,4&v=1.0",
                ["uids": "17,4"],
                answer: CannedAnswer(json: #"[{"uid":17,"name":"Ada"}]"#, "17 Ada")
            ) { try await $0.users([17, 4]).map { "\($0.id) \($0.name ?? "")" }.joined() },
            Row(
                "GetNotes",
                "GET",
                place,
                "api_key=a1&format=JSON&method=Notes.get&session_key=k9&sig=261c2c7869d9827bb3ad2057deec587b&v=1.0",
                answer: CannedAnswer(json: #"[{"note_id":"n1","title":"Clouds"}]"#, "n1 Clouds")
            ) { try await $0.notes().map { "\($0.id) \($0.title ?? "")" }.joined() },
            Row(
                "EditNote",
                "POST",
                place,
                "api_key=a1&content=a & b&format=JSON&method=Notes.edit&note_id=n1&session_key=k9&sig=05b9d0efc92fff390ee09de4678b844f&title=Über Wolken&v=1.0",
                ["noteID": "n1", "title": "Über Wolken", "content": "a & b"],
                answer: .yes
            ) { "\(try await $0.editNote("n1", title: "Über Wolken", content: "a & b"))" },
        ]
    }

    @Test func eachTaskSendsWhatItsTableSaysAndSignsIt() async throws {
        var definition = Facebook.definition
        // A page for browsers; see below.
        definition["GetAllowAppPermissionsURL"] = nil
        try await LoopbackCatalog.check(Self.logins + Self.others, of: definition) { Self.app($0).with(Self.session) }
    }

    @Test func whereAPermissionIsGivenIsToldWithoutARequest() async throws {
        let transport = StubTransport { _ in .text("<html>") }
        let app = Facebook(at: "http://a.example", key: "a1", secret: "s", transport: transport)
        let url = try app.allowPermissionURL("publish_stream")
        #expect(url == "http://a.example/authorize.php?api_key=a1&v=1.0&ext_perm=publish_stream")
        #expect(transport.requests.isEmpty)
        try await app.service.call("GetAllowAppPermissionsURL", ["permission": "sms"]).send().requireSuccess()
        #expect(transport.lastRequest?.path == "/authorize.php")
        #expect(transport.lastRequest?.query?.contains("sig=") == false)
    }

    @Test func whoeverIsNotLoggedInGetsNoFurther() async throws {
        let transport = StubTransport { _ in .json("[]") }
        let app = Facebook(at: "http://a.example", key: "a1", secret: "s", transport: transport)
        await #expect(throws: CumulusError.self) { try await app.friends() }
        await #expect(throws: CumulusError.self) { try await Facebook(at: "http://a.example").loginURL() }
        #expect(transport.requests.isEmpty)
    }

    @Test func anErrorCodeIsThrown() async throws {
        let transport = StubTransport { _ in .json(#"{"error_code":102,"error_msg":"Session key invalid"}"#) }
        let app = Facebook(at: "http://a.example", key: "a1", secret: "s", transport: transport)
        let error = await #expect(throws: CumulusError.self) { try await app.with(Self.session).friends() }
        #expect((error?.cause as? ServiceError)?.code == "102")
        #expect((error?.cause as? ServiceError)?.message == "Session key invalid")
    }

    @Test func aSessionIsReadOfCocoaRESTsCredentials() {
        let session = Facebook.Session(identifier: 17, credentials: "ses-secret~k9")
        #expect(session == Self.session)
        for text in ["", "secret", "~", "a~", "~b"] {
            #expect(Facebook.Session(identifier: 1, credentials: Secret(text)) == nil)
        }
        #expect(!"\(Self.session)".contains("ses-secret"))
        #expect(!String(reflecting: Self.session).contains("ses-secret"))
    }
}
