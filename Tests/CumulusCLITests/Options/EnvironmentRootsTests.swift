// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCLI

/// `SSL_CERT_FILE` and `SSL_CERT_DIR`.
@Suite(.timeLimit(.minutes(10))) struct EnvironmentRootsTests {
    private func certificate(_ text: String) -> String {
        "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private func surroundings(_ environment: [String: String]) -> Surroundings {
        .of(
            environment: environment,
            files: [
                "one.pem": "a comment\n" + certificate("AAA"), "two/b.pem": certificate("BBB") + certificate("AAA"),
                "two/c.key": "-----BEGIN PRIVATE KEY-----\nKKK\n-----END PRIVATE KEY-----\n",
                "three/c.0": certificate("CCC"),
                "empty.pem": "nothing", "four/x": "nothing", "cut.pem": "-----BEGIN CERTIFICATE-----\nAAA\n",
            ]
        )
    }

    private func roots(_ environment: [String: String], _ options: String...) throws -> String? {
        let plan = try plan(options + ["x.y"], in: surroundings(environment))
        guard case .authority(let pem) = plan.verification else { return nil }
        return String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { $0.utf8.count == 3 }
            .joined(separator: " ")
    }

    @Test func bothTakeTheSystemsPlace() throws {
        #expect(try roots([:]) == nil)
        #expect(try roots(["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""]) == nil)
        #expect(try roots(["SSL_CERT_FILE": "one.pem"]) == "AAA")
        #expect(try roots(["SSL_CERT_DIR": "two:three"]) == "BBB AAA CCC")
        #expect(try roots(["SSL_CERT_FILE": "one.pem", "SSL_CERT_DIR": "two"]) == "AAA BBB")
    }

    @Test("a URL without TLS leaves them unread, and a redirect to one with TLS does not")
    func withoutTLS() async throws {
        let environment = ["SSL_CERT_FILE": "nowhere.pem"]
        #expect(try plan(["http://x.y"], in: surroundings(environment)).verification == .environment)
        #expect(mistake(["http://x.y", "--verify=no"], in: surroundings(environment)) == nil)
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/") { _ in .text("hi") }
                routes.get("/to") { _ in .status(.found, headers: [.location: "https://127.0.0.1:1/"]) }
            }
        ) { server in
            let console = MemoryConsole(environment: environment)
            #expect(await console.run(server.url) == .success && console.output == "hi", "\(console.notes)")
            let redirected = MemoryConsole(environment: environment)
            #expect(await redirected.run("\(server.url)/to") != .success)
            #expect(redirected.notes.last?.contains("'nowhere.pem' in SSL_CERT_FILE can't be read") == true)
        }
    }

    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    @Test("the URLs of a list read them once")
    func aListReadsThemOnce() throws {
        let reads = Counter()
        var surroundings = surroundings(["SSL_CERT_DIR": "two"])
        let readFolder = surroundings.readFolder
        surroundings.readFolder = { path in
            reads.value.withLock { $0 += 1 }
            return try readFolder(path)
        }
        let words = ["download", "https://a.b/1", "https://c.d/2"]
        guard case .download(let job) = try Invocation.parse(words, in: surroundings) else {
            Issue.record("no download")
            return
        }
        let authority = Plan.Verification.authority(pem: Array((certificate("BBB") + certificate("AAA")).utf8))
        #expect(job.requests.map(\.verification) == [authority, authority])
        #expect(reads.value.withLock(\.self) == 1)
    }

    @Test("the command line takes precedence")
    func optionsCount() throws {
        let environment = ["SSL_CERT_FILE": "nowhere.pem"]
        #expect(try plan(["--verify=no", "x.y"], in: surroundings(environment)).verification == .none)
        #expect(try roots(environment, "--verify=two/b.pem") == "BBB AAA")
        #expect(try roots(["SSL_CERT_FILE": "one.pem"], "--verify=yes") == "AAA")
    }

    @Test(
        "an unreadable file, or one without a certificate, is named with its variable",
        arguments: [
            ("SSL_CERT_FILE", "nowhere.pem", "'nowhere.pem' in SSL_CERT_FILE can't be read: No such file"),
            ("SSL_CERT_FILE", "empty.pem", "'empty.pem' in SSL_CERT_FILE contains no PEM certificate"),
            ("SSL_CERT_FILE", "cut.pem", "'cut.pem' in SSL_CERT_FILE contains no PEM certificate"),
            ("SSL_CERT_DIR", "two:nowhere", "'nowhere' in SSL_CERT_DIR can't be read"),
            ("SSL_CERT_DIR", "four", "'four' in SSL_CERT_DIR contains no PEM certificate"),
        ]
    )
    func problemsAreNamed(variable: String, value: String, expected: String) {
        let reason = mistake(["x.y"], in: surroundings([variable: value]))?.reason
        #expect(reason?.contains(expected) == true, "\(reason ?? "understood")")
    }

    @Test func theCommandTrustsThem() async throws {
        let authority = try TestCertificateAuthority()
        try await withLoopbackServer(
            tls: .issued(by: authority),
            routes: { $0.get("/") { _ in .text("hi") } }
        ) { server in
            let files = ["ca.pem": authority.rootPEM, "roots/ca.pem": authority.rootPEM]
            for environment in [["SSL_CERT_FILE": "ca.pem"], ["SSL_CERT_DIR": "roots"]] {
                let console = MemoryConsole(environment: environment, files: files)
                #expect(await console.run("get", server.url) == .success, "\(console.notes)")
                #expect(console.output == "hi")
            }
            let other = try TestCertificateAuthority()
            let console = MemoryConsole(environment: ["SSL_CERT_FILE": "ca.pem"], files: ["ca.pem": other.rootPEM])
            #expect(await console.run("get", server.url) == .tls)
        }
    }
}
