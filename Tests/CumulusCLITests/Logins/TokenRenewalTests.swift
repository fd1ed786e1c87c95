// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCLI

/// What happens to a login's new token, and what the command says about it.
@Suite(.timeLimit(.minutes(10))) struct TokenRenewalTests {
    /// A login whose access token has expired.
    private struct Login {
        let home: TemporaryFolder
        let folder: LoginFolder
        let origin: Origin

        init(at server: LoopbackServer) async throws {
            home = try TemporaryFolder()
            folder = try #require(LoginFolder(["XDG_STATE_HOME": home.path]))
            origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
            let tokens = "\(server.url)/oauth/token"
            try folder.keep(
                SavedLogin(
                    origin: origin,
                    server: .endpoints(tokens: tokens, authorization: nil, device: nil, revocation: nil),
                    client: OAuth2Client(id: "cli"),
                    isClientLogin: false,
                    scope: nil
                )
            )
            try await folder.store(for: origin).keep(
                OAuth2Token(
                    access: "access-one",
                    refresh: "refresh-one",
                    expires: Date(timeIntervalSince1970: 1),
                    source: "cli at \(tokens)"
                )
            )
        }

        var environment: [String: String] { ["XDG_STATE_HOME": home.path] }

        var console: MemoryConsole { MemoryConsole(environment: environment) }

        func refreshToken() async throws -> String? { try await folder.store(for: origin).token()?.refresh?.revealed }

        /// The file of the token.
        func file() throws -> String {
            let logins = "\(home.path)/cumulus/logins"
            let names = try FileManager.default.contentsOfDirectory(atPath: logins)
            return "\(logins)/\(try #require(names.first { $0.hasSuffix(".token.json") }))"
        }
    }

    /// A server that replaces each refresh token, after the gate has opened.
    private func withServer(
        renewing: @escaping @Sendable () async throws -> Void,
        _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/x") { request in .text(request.headers[.authorization] ?? "") }
                routes.post("/oauth/token") { request in
                    guard request.text.contains("refresh_token=refresh-one") else {
                        return .json(#"{"error":"invalid_grant"}"#, status: .badRequest)
                    }
                    try await renewing()
                    return .json(
                        #"{"access_token":"access-two","refresh_token":"refresh-two","token_type":"Bearer","expires_in":3600}"#
                    )
                }
            },
            body
        )
    }

    @Test("--max-time doesn't lose the refresh token that replaces a used one")
    func limit() async throws {
        let gate = Gate()
        try await withServer(renewing: { try await gate.wait() }) { server in
            let login = try await Login(at: server)
            let console = login.console
            // Long enough for a busy machine to begin the renewal.
            let command = Task { await console.run("--max-time", "3", "\(server.url)/x") }
            // Polls: a loop that only yields would occupy the few threads.
            while console.notes.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            gate.open()
            #expect(await command.value == .timeout)
            #expect(console.notes.first == "cumulus: waiting for a token to be renewed", "\(console.notes)")
            #expect(try await login.refreshToken() == "refresh-two")
            let next = login.console
            #expect(await next.run("\(server.url)/x") == .success)
            #expect(next.output == "Bearer access-two")
        }
    }

    @Test(
        "Ctrl-C doesn't lose it either, unless it is pressed twice",
        .enabled(if: BuiltProgram.isThere),
        arguments: [1, 2]
    )
    func interrupted(times: Int) async throws {
        let gate = Gate()
        try await withServer(renewing: { try await gate.wait() }) { server in
            let login = try await Login(at: server)
            let program = try TerminalProgram(["--no-config", "\(server.url)/x"], environment: login.environment)
            try await server.waitForRequests(1)
            program.signal(SIGINT)
            try await program.wait(for: "waiting for a token")
            if times == 1 { gate.open() }
            let end = try await program.end(signaling: times > 1 ? SIGINT : nil)
            #expect(end.status == CommandStatus.interrupted.rawValue, "\(end.text)")
            #expect(try await login.refreshToken() == (times > 1 ? "refresh-one" : "refresh-two"))
            gate.open()
        }
    }

    @Test("a renewal that takes too long is not waited for, and none begins at the end")
    func bounds() async throws {
        let watch = RenewalWatch()
        let gate = Gate()
        let renewal = Task { try await watch.watching { try await gate.wait() } }
        // Polls; a cancelled test ends here.
        while gate.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        await watch.finish(within: .milliseconds(1)) {}
        #expect(!gate.isOpen)
        await #expect(throws: CancellationError.self) { try await watch.watching {} }
        gate.open()
        try await renewal.value
        // With nothing to wait for, it returns at once.
        await watch.finish(within: .seconds(3_600)) { Issue.record("there was nothing to wait for") }
    }

    @Test("a new token that can't be saved is used, with a warning")
    func notSaved() async throws {
        let obstacle = Obstacle()
        try await withServer(renewing: { try obstacle.rise() }) { server in
            let login = try await Login(at: server)
            obstacle.put(try login.file())
            let console = login.console
            #expect(await console.run("\(server.url)/x") == .success)
            #expect(console.output == "Bearer access-two")
            #expect(console.notes.count == 1)
            let note = console.notes.first ?? ""
            #expect(
                note.hasPrefix("cumulus: warning: the new token for \(login.origin) was not saved: can't "),
                "\(note)"
            )
            #expect(note.contains(".token.json") && note.contains("cumulus login \(login.origin)"), "\(note)")
            #expect(
                !["access-one", "access-two", "refresh-one", "refresh-two"].contains(where: note.contains),
                "\(note)"
            )
        }
    }

    @Test("a metadata's token endpoint at another origin needs --share, and the hint says so")
    func sharing() async throws {
        try await withLoopbackServer { server in
            let other = server.url(host: "localhost")
            server.addRoutes { routes in
                routes.get("/.well-known/oauth-authorization-server") { [url = server.url] _ in
                    .json(#"{"issuer":"\#(url)","token_endpoint":"\#(other)/token"}"#)
                }
                routes.post("/token") { _ in .json(#"{"access_token":"t","token_type":"Bearer","expires_in":3600}"#) }
                routes.get("/x") { request in .text(request.headers[.authorization] ?? "") }
            }
            let home = try TemporaryFolder()
            let environment = ["XDG_STATE_HOME": home.path]
            let words = ["login", server.url, "--issuer", server.url, "--client", "atlas", "--secret", "s3cret"]
            let refused = MemoryConsole(environment: environment)
            #expect(await CommandRun(refused.console).run(words) == .failure)
            let note = refused.notes.joined(separator: "\n")
            #expect(note.contains(other) && note.contains("--share ORIGIN"), "\(note)")
            #expect(!note.contains(".sharing"), "\(note)")
            #expect(!server.requests.contains { $0.path == "/token" })
            let told = MemoryConsole(environment: environment)
            #expect(await CommandRun(told.console).run(words + ["--share", other]) == .success, "\(told.notes)")
            let next = MemoryConsole(environment: environment)
            #expect(await next.run("\(server.url)/x") == .success)
            #expect(next.output == "Bearer t")
        }
    }

    @Test(
        "--share takes an origin, for an issuer",
        arguments: [
            ["--issuer", "https://id.example", "--share", "https://other.example/path"],
            ["--issuer", "https://id.example", "--share", "https://ada@other.example"],
            ["--tokens", "https://id.example/t", "--share", "https://other.example"],
        ]
    )
    func sharingMistakes(words: [String]) {
        let all = ["login", "https://x.example", "--client", "a"] + words
        #expect(mistake(all, in: .of(environment: ["HOME": "/nowhere"]))?.reason.contains("--share") == true)
    }

    @Test func whatIsSharedIsSaved() {
        let origin = Origin(scheme: .https, host: "a.example")
        let login = SavedLogin(
            origin: origin,
            server: .issuer("https://id.example"),
            shared: [Origin(scheme: .https, host: "b.example", port: 8443)],
            client: OAuth2Client(id: "x"),
            isClientLogin: false,
            scope: nil
        )
        #expect(SavedLogin(decoding: login.encoded(), of: origin) == login)
    }
}

/// A directory in the place of a file, which can't be replaced by another file.
private final class Obstacle: Sendable {
    private let path = Mutex("")

    func put(_ path: String) { self.path.withLock { $0 = path } }

    func rise() throws {
        let path = path.withLock { $0 }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: "\(path)/full", withIntermediateDirectories: true)
    }
}
