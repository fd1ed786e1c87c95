// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Configuration files, with the built program in its own home and folder.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct ConfigurationProgramTests {
    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/x") { request in .text(request.headers[.accept] ?? "") }
                routes.get("/to") { _ in .status(.found, headers: [.location: "/x"]) }
            },
            body
        )
    }

    @Test("profiles, host blocks and defaults complete the command line, in that order")
    func order() async throws {
        try await withServer { server in
            let home = try ConfigurationHome(
                """
                [defaults]
                max-redirects = 0
                headers = { X-A = "defaults", X-B = "defaults", X-C = "defaults", X-D = "defaults" }
                [hosts."127.0.0.*"]
                headers = { x-b = "host", X-C = "host", X-D = "host" }
                [hosts."*.test"]
                headers = { X-A = "other" }
                [profiles.work]
                base = "\(server.url)"
                max-redirects = 3
                headers = { X-C = "profile", X-D = "profile" }
                """
            )
            let end = try await home.run("--profile", "work", "x", "X-D:line")
            #expect(end.status == 0, "\(end.notes)")
            let fields = server.requests.last?.headers ?? HTTPFields()
            let named = ["X-A", "X-B", "X-C", "X-D"].map { name in HTTPField.Name(name).flatMap { fields[$0] } }
            #expect(named == ["defaults", "host", "profile", "line"])
            let capped = try await home.run("\(server.url)/to")
            #expect(capped.status == CommandStatus.redirection.rawValue, "\(capped.notes)")
            #expect(try await home.run("\(server.url)/to", "--max-redirects=5").status == 0)
            #expect(try await home.run("--profile", "work", "to").status == 0)
            #expect(try await home.run("--no-config", "\(server.url)/to").status == 0)
            let missing = try await home.run("--profile", "play", "\(server.url)/x")
            #expect(missing.status == 64 && missing.notes.contains("profiles: work"), "\(missing.notes)")
        }
    }

    @Test("config show prints the effective values, and their places")
    func show() async throws {
        let home = try ConfigurationHome(
            "[defaults]\ntimeout = 10\nstyle = \"dark\"\n[hosts.\"a.test\"]\ntimeout = 3.5\nauth = \"env:TOKEN\"\nheaders.X-Token = \"s3cret\"\n",
            mode: 0o600
        )
        let file = "\(home.folder.path)/config/cumulus/config.toml"
        #expect(try await home.run("config", "path").output == "\(file)\n")
        #expect(try await home.run("config", "show").output == "timeout = 10\nstyle = \"dark\"\n")
        let all = try await home.run("config", "show", "--origin", "a.test")
        let lines = [
            "timeout = 3.5  # \(file), line 5, [hosts.\"a.test\"]",
            "auth = \"env:TOKEN\"  # \(file), line 6, [hosts.\"a.test\"]",
            "style = \"dark\"  # \(file), line 3, [defaults]",
            "headers.X-Token = \"<redacted>\"  # \(file), line 7, [hosts.\"a.test\"]",
        ]
        #expect(all.output == lines.joined(separator: "\n") + "\n", "\(all.output)\(all.notes)")
    }

    @Test(
        "a mistake in a file is reported with file, line and key",
        arguments: [
            ("[defaults]\ntimeout = \"ten\"", "line 2: timeout takes seconds, such as 10 or \"500ms\", not 'ten'"),
            ("[defaults]\n\ntimout = 1", "line 3: 'timout' is not an option"), ("timeout = 1", "line 1: unknown block"),
            ("[defaults\n", "line 1: the table's name has no closing bracket"),
            ("[defaults]\ntls-min = \"1.1\"", "line 2: --tls-min"),
            ("[defaults]\nstyle = \"pink\"", "line 2: --style takes theme, dark, light or mono"),
            ("[defaults]\nauth = \"env:TOKEN\"", "line 2: 'auth' in [defaults] would be sent to every host"),
            ("[defaults]\nheaders = { Authorization = \"x\" }", "would be sent to every host"),
            ("[defaults]\nheaders = { X-Api-Key = \"x\" }", "line 2: 'X-Api-Key' in [defaults] would be sent"),
            ("[defaults]\nipv4 = true\nipv6 = true", "line 3: ipv6 and ipv4 can't be combined"),
            ("[defaults]\nnetrc = true\nignore-netrc = true", "line 3: ignore-netrc and netrc can't be combined"),
            ("[defaults]\nretry = -1", "line 2: "), ("defaults = 1", "line 1: defaults must be a table, not a number"),
            ("[hosts.x]\nbase = \"y\"", "line 2: base determines the host"), ("[hosts.\"[\"]", "is not a host name"),
            ("[hosts.x]\nauth = ada:s3cr3t", "line 2: the value is not valid"),
            ("a\(String(repeating: ".a", count: 10_000)) = 1", "line 1: the key is nested too deeply"),
            ("[hosts.\"a/b\"]\n", "is not a host name"), ("[defaults]\nheaders = { \"a b\" = \"x\" }", "not a header"),
        ]
    )
    func mistakes(text: String, told: String) async throws {
        let home = try ConfigurationHome(text)
        let end = try await home.run("http://127.0.0.1:1/")
        let plain = end.notes.replacingOccurrences(of: "\"", with: "'").replacingOccurrences(of: "`", with: "'")
        #expect(end.status == 64 && plain.contains(told.replacingOccurrences(of: "\"", with: "'")), "\(end.notes)")
        #expect(end.notes.contains("config.toml") && !end.notes.contains("s3cr3t"), "\(end.notes)")
    }

    @Test("of options that exclude each other, the one with the higher precedence counts")
    func exclusive() async throws {
        let home = try ConfigurationHome("[defaults]\nipv4 = true\n[hosts.\"127.0.0.1\"]\nipv6 = true\n")
        let end = try await home.run("--offline", "http://127.0.0.1/")
        #expect(end.status == 0, "\(end.notes)")
    }

    @Test("a configuration never disables a protection silently")
    func protection() async throws {
        let tls = try ServerTLS.selfSigned()
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("safe") } }) { server in
            let home = try ConfigurationHome("[defaults]\nverify = \"no\"\n")
            let end = try await home.run("\(server.url)/x")
            #expect(end.output == "safe")
            #expect(end.notes.contains("NOT checked") && end.notes.contains("config.toml, line 2"), "\(end.notes)")
            #expect(try await home.run("-q", "\(server.url)/x").notes.contains("config.toml, line 2"))
            let silent = try await home.run("-qq", "\(server.url)/x")
            #expect(silent.status == 64 && silent.notes.contains("-qq would hide the warning"), "\(silent.notes)")
            #expect(try await home.run("-qq", "--verify=no", "\(server.url)/x").status == 0)
        }
    }

    @Test("a secret in a file that others can read is refused")
    func secrets() async throws {
        let text = "[hosts.\"127.0.0.1\"]\nauth = \"ada:s3cret\"\n"
        let shared = try await ConfigurationHome(text).run("http://127.0.0.1:1/")
        #expect(shared.status == 64 && shared.notes.contains("mode 600"), "\(shared.notes)")
        #expect(!shared.notes.contains("s3cret"))
        try await withServer { server in
            let home = try ConfigurationHome(text, mode: 0o600)
            #expect(try await home.run("\(server.url)/x").status == 0)
            #expect(server.requests.last?.headers[.authorization]?.hasPrefix("Basic ") == true)
        }
    }

    @Test("the working folder's file is only used while it is unchanged since it was trusted")
    func trust() async throws {
        try await withServer { server in
            let home = try ConfigurationHome()
            try home.write("[defaults]\nheaders = { Accept = \"text/folder\" }\n", to: "work/.cumulus.toml")
            let before = try await home.run("\(server.url)/x")
            #expect(before.output == "*/*" && before.notes.contains("not trusted"), "\(before.notes)")
            let trusted = try await home.run("trust", "--yes")
            #expect(trusted.status == 0 && trusted.output.contains("text/folder"), "\(trusted.notes)")
            let mode = try FileManager.default.attributesOfItem(
                atPath: "\(home.folder.path)/state/cumulus/trusted.json"
            )
            #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try await home.run("\(server.url)/x").output == "text/folder")
            try home.write("[defaults]\nheaders = { Accept = \"text/other\" }\n", to: "work/.cumulus.toml")
            let changed = try await home.run("\(server.url)/x")
            #expect(changed.output == "*/*" && changed.notes.contains("has changed"), "\(changed.notes)")
            #expect(try await home.run("trust", "--yes").status == 0)
            #expect(try await home.run("trust", "--remove").status == 0)
            #expect(try await home.run("\(server.url)/x").output == "*/*")
        }
    }
}
