// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusOAuth
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus login` and `cumulus logout`, and requests in between.
@Suite(.timeLimit(.minutes(10))) struct LoginCommandTests {
    private func withService(
        _ configuration: OAuth2Service.Configuration = .init(),
        revoking revoke: (@Sendable (ServerRequest) -> ServerResponse)? = nil,
        _ body: (LoopbackServer, OAuth2Service, _ home: TemporaryFolder) async throws -> Void
    ) async throws {
        let service = OAuth2Service(configuration)
        try await withLoopbackServer(
            routes: { routes in
                if let revoke { routes.post("/oauth/revoke") { revoke($0) } }
                service.install(in: &routes)
                routes.get("/who") { request in
                    service.accepts(request.headers[.authorization])
                        ? .text(request.headers[.authorization] ?? "") : .text("who?", status: .unauthorized)
                }
            },
            { server in try await body(server, service, try TemporaryFolder()) }
        )
    }

    /// A console whose logins are stored below a folder.
    private func console(_ home: TemporaryFolder, _ more: [String: String] = [:]) -> MemoryConsole {
        MemoryConsole(environment: ["XDG_STATE_HOME": home.path].merging(more) { $1 })
    }

    private func login(_ server: LoopbackServer, _ home: TemporaryFolder) async -> CommandStatus {
        await console(home, ["SECRET": "s3cret"]).run(
            "login",
            "\(server.url)/some/where",
            "--issuer",
            server.url,
            "--client",
            "atlas",
            "--secret",
            "env:SECRET"
        )
    }

    @Test func theTokenOfALoginIsShownAndRenewed() async throws {
        try await withService { server, service, home in
            #expect(await login(server, home) == .success)
            let first = console(home)
            #expect(await first.run("\(server.url)/who") == .success)
            #expect(first.output == "Bearer access-1")
            service.expireAccessTokens()
            let second = console(home)
            #expect(await second.run("\(server.url)/who") == .success)
            #expect(second.output == "Bearer access-2")
            #expect(service.count(of: "client_credentials") == 2)
        }
    }

    @Test func itsFilesAreForTheUserAlone() async throws {
        try await withService { server, _, home in
            #expect(await login(server, home) == .success)
            let folder = "\(home.path)/cumulus/logins"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 3)
            for name in names {
                let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            let facts = try FileManager.default.attributesOfItem(atPath: folder)
            #expect(facts[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func credentialsOfTheCommandLineTakeItsPlace() async throws {
        try await withService { server, _, home in
            #expect(await login(server, home) == .success)
            #expect(await console(home).run("\(server.url)/who", "-A", "bearer", "-a", "own") == .clientError)
            #expect(server.requests.last?.headers[.authorization] == "Bearer own")
            #expect(await console(home).run("\(server.url)/who", "Authorization:Own x") == .clientError)
            #expect(server.requests.last?.headers[.authorization] == "Own x")
        }
    }

    @Test func aLoginCanBeInsistedOn() async throws {
        try await withService { server, _, home in
            let before = console(home)
            #expect(await before.run("-A", "oauth2", "\(server.url)/who") == .usage)
            #expect(before.notes.first?.contains("you are not signed in") == true)
            #expect(await login(server, home) == .success)
            #expect(await console(home).run("-A", "oauth2", "\(server.url)/who") == .success)
            #expect(await console(home).run("-A", "oauth2", "-a", "x", "\(server.url)/who") == .usage)
        }
    }

    @Test("another origin gets no part of a login")
    func otherOriginsGetNothing() async throws {
        try await withService { server, _, home in
            #expect(await login(server, home) == .success)
            #expect(await console(home).run("\(server.url(host: "localhost"))/who") == .clientError)
            #expect(server.requests.last?.headers[.authorization] == nil)
        }
    }

    @Test func offlineAndCurlShowTheStoredTokenAndSendNothing() async throws {
        try await withService { server, _, home in
            #expect(await login(server, home) == .success)
            let count = server.requests.count
            let curl = console(home)
            #expect(await curl.run("--curl", "--show-secrets", "\(server.url)/who") == .success)
            #expect(curl.output.contains("Bearer access-1"))
            let offline = console(home)
            #expect(await offline.run("--offline", "\(server.url)/who") == .success)
            #expect(!offline.output.contains("access-1") && offline.output.contains("Authorization"))
            #expect(server.requests.count == count)
        }
    }

    @Test func aBrowserSignsIn() async throws {
        try await withService { server, service, home in
            let console = console(home)
            let command = Task {
                await console.run("login", server.url, "--issuer", server.url, "--client", "cli")
            }
            // Polls; a cancelled test ends here.
            while console.notes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            let url = try #require(console.notes.first?.split(separator: "\n").last.map(String.init))
            let page = try await Resource(url, transport: NIOTransport.shared).get()
            #expect(page.text?.hasPrefix("You are signed in") == true)
            #expect(await command.value == .success)
            #expect(service.count(of: "authorization_code") == 1)
            let who = self.console(home)
            #expect(await who.run("\(server.url)/who") == .success)
            #expect(who.output == "Bearer access-2")
        }
    }

    @Test func aPersonTypesTheCodeOfADevice() async throws {
        var configuration = OAuth2Service.Configuration()
        configuration.interval = 1
        try await withService(configuration) { server, service, home in
            let console = console(home)
            let command = Task {
                await console.run(
                    "login",
                    server.url,
                    "--issuer",
                    server.url,
                    "--client",
                    "cli",
                    "--grant",
                    "device"
                )
            }
            // Polls; a cancelled test ends here.
            while console.notes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            #expect(
                console.notes.first == "cumulus: open https://id.example.com/device and type WDJB-1001"
            )
            service.decide(true, userCode: "WDJB-1001")
            #expect(await command.value == .success)
            #expect(console.notes.last?.hasPrefix("cumulus: signed in") == true)
            #expect(service.count(of: "device_code") == 1)
            let who = self.console(home)
            #expect(await who.run("\(server.url)/who") == .success)
            #expect(who.output == "Bearer access-2")
            // A device's token is renewed without the user.
            service.expireAccessTokens()
            #expect(await self.console(home).run("\(server.url)/who") == .success)
            #expect(service.count(of: "refresh_token") == 1 && service.count(of: "device_code") == 1)
        }
    }

    @Test func aPersonWhoSaysNoToADeviceSignsNobodyIn() async throws {
        var configuration = OAuth2Service.Configuration()
        configuration.interval = 1
        try await withService(configuration) { server, service, home in
            let console = console(home)
            let command = Task {
                await console.run("login", server.url, "--issuer", server.url, "--client", "cli", "--grant=device")
            }
            // Polls; a cancelled test ends here.
            while console.notes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            service.decide(false)
            #expect(await command.value == .failure)
            #expect(console.notes.last?.contains("access_denied") == true)
            let folder = try #require(LoginFolder(["XDG_STATE_HOME": home.path]))
            #expect(try folder.login(for: Self.origin(of: server)) == nil)
        }
    }

    private static func origin(of server: LoopbackServer) -> Origin {
        Origin(scheme: .http, host: "127.0.0.1", port: server.port)
    }

    @Test("a login is removed regardless of the server's response", arguments: [503, 400])
    func loggingOutOfABrokenServer(status: Int) async throws {
        let refusal: @Sendable (ServerRequest) -> ServerResponse = { _ in
            .json(#"{"error":"unsupported_token_type"}"#, status: .init(code: status))
        }
        try await withService(revoking: refusal) { server, _, home in
            #expect(await login(server, home) == .success)
            let folder = try #require(LoginFolder(["XDG_STATE_HOME": home.path]))
            let origin = Self.origin(of: server)
            #expect(try folder.login(for: origin) != nil)
            let console = console(home)
            #expect(await console.run("logout", server.url) == .failure)
            #expect(console.notes.count == 1)
            #expect(console.notes.first?.contains("access-1") == false)
            #expect(server.requests.last?.text.hasPrefix("token=access-1&") == true)
            #expect(try folder.login(for: origin) == nil)
            #expect(try await folder.store(for: origin).token() == nil)
            #expect(await self.console(home).run("\(server.url)/who") == .clientError)
            #expect(server.requests.last?.headers[.authorization] == nil)
        }
    }

    @Test func loggingOutOfAServerThatIsGoneForgets() async throws {
        let home = try TemporaryFolder()
        var address = ""
        try await withService { server, _, _ in
            address = server.url
            #expect(await login(server, home) == .success)
        }
        let console = console(home)
        #expect(await console.run("logout", address) != .success)
        let again = self.console(home)
        #expect(await again.run("logout", address) == .usage)
        #expect(again.notes.first?.contains("you are not signed in") == true)
    }

    @Test("an unavailable secret is reported with its option")
    func secretsNameTheirOption() {
        let login = ["login", "x.example", "--client", "a", "--issuer", "b", "--secret"]
        for word in ["env:NOT_THERE", "@/missing"] {
            let ofLogin = mistake(login + [word], in: .of(environment: ["HOME": "/nowhere"]))
            #expect(ofLogin?.reason.contains(" in --secret ") == true, "\(word)")
            let ofRequest = mistake(["x.example", "-a", "ada:\(word)"])
            #expect(ofRequest?.reason.contains(" in --auth ") == true, "\(word)")
        }
    }

    @Test func loggingOutForgetsAndRevokes() async throws {
        try await withService { server, service, home in
            #expect(await login(server, home) == .success)
            #expect(await console(home).run("logout", server.url) == .success)
            #expect(service.revocations == 1)
            #expect(await console(home).run("\(server.url)/who") == .clientError)
            #expect(server.requests.last?.headers[.authorization] == nil)
            let again = console(home)
            #expect(await again.run("logout", server.url) == .usage)
            #expect(again.notes.first?.contains("you are not signed in") == true)
        }
    }

    @Test("a refusal contains no secret")
    func refusals() async throws {
        try await withService { server, _, home in
            let console = console(home)
            let status = await console.run(
                "login",
                server.url,
                "--tokens",
                "\(server.url)/oauth/token",
                "--client",
                "atlas",
                "--secret",
                "wr0ng"
            )
            #expect(status == .failure)
            #expect(console.notes == ["cumulus: authorization: the authorization server refused: invalid_client"])
            #expect(await self.console(home).run("\(server.url)/who") == .clientError)
        }
    }

    @Test(
        "mistakes are reported before anything is sent",
        arguments: [
            ["login"], ["login", "x.example"], ["login", "x.example", "--client", "a"],
            ["login", "x.example", "--client", "a", "--issuer", "b", "--tokens", "c"],
            ["login", "x.example", "--client", "a", "--issuer", "b", "--grant", "magic"],
            ["login", "x.example", "--client", "a", "--issuer", "b", "--grant", "client"],
            ["login", "x.example", "y=z", "--client", "a", "--issuer", "b"],
            ["login", "x.example", "--client", "a", "--issuer", "b", "--secret", "env:NOT_THERE"], ["logout"],
        ]
    )
    func mistakes(arguments: [String]) {
        #expect(mistake(arguments, in: .of(environment: ["HOME": "/nowhere"])) != nil)
    }

    @Test func aLoginOfAnotherOriginInTheFileIsNotUsed() throws {
        let login = SavedLogin(
            origin: Origin(scheme: .https, host: "a.example"),
            server: .endpoints(
                tokens: "https://b.example/t",
                authorization: nil,
                device: "https://b.example/d",
                revocation: nil
            ),
            client: OAuth2Client(id: "x", secret: "y", authentication: .body),
            isClientLogin: true,
            scope: "s"
        )
        #expect(SavedLogin(decoding: login.encoded(), of: login.origin) == login)
        #expect(SavedLogin(decoding: login.encoded(), of: Origin(scheme: .https, host: "b.example")) == nil)
        for text in ["", "{}", "[]", #"{"version":1}"#] {
            #expect(SavedLogin(decoding: Array(text.utf8), of: login.origin) == nil)
        }
    }
}
