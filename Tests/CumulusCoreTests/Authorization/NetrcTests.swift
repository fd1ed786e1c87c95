// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Testing

@testable import CumulusCore

/// `.netrc` files: which password belongs to whom, and which files are refused.
struct NetrcTests {
    private func found(_ text: String, _ host: String = "a.example", user: String? = nil) throws -> String? {
        let file = try NetrcFile(parsing: Array(text.utf8))
        let found = file.credentials(for: Origin(scheme: .https, host: host), user: user)
        return found.map { "\($0.user):\($0.password.revealed)" }
    }

    @Test(
        "an entry in one line or many, quoted, with comments, accounts and macros",
        arguments: [
            "machine a.example login ada password pw",
            "machine a.example\n\tlogin ada\r\n\tpassword pw\n",
            "# mine\nmachine A.Example account x login \"ada\" password \"p\\w\" # his",
            "machine b.example login bob password no\nmachine a.example password pw login ada",
            "macdef init\nmachine a.example login x password y\n\nmachine a.example login ada password pw",
            "default login ada password pw",
            "machine b.example login bob password no default login ada password pw",
        ]
    )
    func read(text: String) throws { #expect(try found(text) == "ada:pw") }

    @Test("a known user gets no other user's password")
    func knownUsers() throws {
        let text = "machine a.example login ada password one machine a.example login bob password two"
        #expect(try found(text) == "ada:one")
        #expect(try found(text, user: "bob") == "bob:two")
        #expect(try found(text, user: "eve") == nil)
        #expect(try found("default login ada password one", user: "bob") == nil)
        #expect(try found("machine a.example password one", user: "ada") == nil)
    }

    @Test(
        "an entry without user or password takes nothing from another, nor from the default",
        arguments: [
            "machine b.example login bob password no machine a.example login ada",
            "machine b.example login bob password no machine a.example",
            "machine a.example login ada default login x password y",
            "machine a.example password pw machine b.example login bob password no",
            "machine b.example login bob password no default",
        ]
    )
    func incomplete(text: String) throws { #expect(try found(text) == nil) }

    @Test("a value may begin with a #, and a missing one mixes no entries")
    func valuesThatLookLikeComments() throws {
        let found = try found("machine a.example login ada password #pw # a comment\ndefault login x password y")
        #expect(found == "ada:#pw")
        #expect(throws: NetrcProblem.self) {
            _ = try self.found("machine a.example login ada password\ndefault login x password y")
        }
    }

    @Test("the host is the one that is connected to, whatever precedes it in the URL")
    func hosts() throws {
        let text = "machine example.com login ada password pw machine evil.com login eve password no"
        let url = try RequestURL("http://evil.com:8080/example.com")
        #expect(try NetrcFile(parsing: Array(text.utf8)).credentials(for: url.origin)?.user == "eve")
        #expect(try found(text, "sub.example.com") == nil)
        #expect(try found(text, "example.com.evil.org") == nil)
    }

    @Test("it serves the origin that it is set on, after a token and the request's own field")
    func authorizer() async throws {
        let echo = Echo()
        let file = try NetrcFile(
            parsing: Array("machine api.example.com login ada password lovelace default login eve password no".utf8)
        )
        func proof(_ authorizers: [BoundAuthorizer], headers: Headers = [:]) async throws -> String? {
            let site = echo.site
            site.setRules { $0.authorizers = .replacing(authorizers) }
            try await site.get(headers: headers).requireSuccess()
            return echo.transport.lastRequest?.headers[.authorization]
        }
        #expect(try await proof([.netrc(file)]) == "Basic YWRhOmxvdmVsYWNl")
        #expect(try await proof([.bearer("t"), .netrc(file)]) == "Bearer t")
        #expect(try await proof([.netrc(file)], headers: [.authorization: "Mine x"]) == "Mine x")
        #expect(try await proof([.netrc(try NetrcFile(parsing: []))]) == nil)
    }

    @Test(
        "an invalid file is refused with the line's number, without quoting it",
        arguments: [
            ("machine", "line 1"), ("machine a.example\nlogin", "line 2"), ("login ada", "line 1"),
            ("machine a.example login ada password hunter2 hunter2", "line 1"),
            ("machine a.example password \"hunter2", "line 1"), ("machine a\n\nfoo\n", "line 3"),
            ("machine a.example password \"hunter2\n\"", "line 1"), ("machine a\0b", "line 1"),
        ]
    )
    func malformed(text: String, line: String) throws {
        let problem = try #require(throws: NetrcProblem.self) { try found(text) }
        #expect(problem.description.contains(line))
        #expect(!problem.description.contains("hunter2"))
    }

    @Test("no bytes crash it")
    func hostile() {
        let good = Array("machine a login \"b\\\"\" password c\nmacdef x\ny\n\ndefault login d password e # f".utf8)
        for count in 0...good.count {
            for changed in [UInt8(0), 0x22, 0x5C, 0x0A, 0xFF] {
                var bytes = Array(good.prefix(count))
                if count > 0 { bytes[count * 2 / 3] = changed }
                _ = try? NetrcFile(parsing: bytes)
            }
        }
        #expect(throws: NetrcProblem.self) { try NetrcFile(parsing: [UInt8](repeating: 0x20, count: 1 << 21)) }
    }

    @Test("a file that others may read is refused, and a missing one is reported as such")
    func permissions() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "netrc-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let missing = try #require(throws: NetrcProblem.self) { try NetrcFile(path: path) }
        #expect(missing.isMissing)
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data("machine a.example login ada password hunter2".utf8),
                attributes: [.posixPermissions: 0o600]
            )
        )
        let file = try NetrcFile(path: path)
        #expect(file.credentials(for: Origin(scheme: .http, host: "a.example"))?.user == "ada")
        var dumped = ""
        dump(file, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        for mode in [0o644, 0o640, 0o606] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let problem = try #require(throws: NetrcProblem.self) { try NetrcFile(path: path) }
            #expect(problem.description.contains("chmod 600"))
            #expect(!problem.isMissing)
        }
        #expect(throws: NetrcProblem.self) { try NetrcFile(path: "/") }
    }
}
