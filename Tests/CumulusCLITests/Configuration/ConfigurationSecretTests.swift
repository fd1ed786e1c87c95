// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// Where credentials of configuration files go, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct ConfigurationSecretTests {
    private static let look = ["--offline", "--show-secrets", "-p", "H"]

    /// The credentials that a command line sends, in the order of the head.
    private func sent(_ end: BuiltProgram.End) -> [String] {
        end.output.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            let name = line.lowercased()
            return name.hasPrefix("authorization:") || name.hasPrefix("x-api-key:") || name.hasPrefix("x-secret:")
        }
    }

    @Test(
        "the command line's credentials replace those of the configuration",
        arguments: [
            ("auth = \"ada:cfgpw\"", ["http://bob:cli@localhost/"], ["Authorization: Basic Ym9iOmNsaQ=="]),
            ("auth = \"ada:cfgpw\"", ["http://localhost/"], ["Authorization: Basic YWRhOmNmZ3B3"]),
            ("auth = \"ada:cfgpw\"", ["http://localhost/", "Authorization:"], []),
            ("auth = \"ada:cfgpw\"", ["http://localhost/", "Authorization:x"], ["Authorization: x"]),
            (
                "headers = { authorization = \"Bearer cfg\" }", ["-A", "bearer", "-a", "tok", "http://localhost/"],
                ["Authorization: Bearer tok"]
            ),
            (
                "auth = \"cfg\"\nauth-type = \"apikey\"", ["http://localhost/", "X-API-Key:mine"],
                ["X-API-Key: mine"]
            ),
            ("headers = { X-API-Key = \"cfg\" }", ["-A", "apikey", "-a", "k", "http://localhost/"], ["X-API-Key: k"]),
        ]
    )
    func precedence(block: String, words: [String], expected: [String]) async throws {
        let home = try ConfigurationHome("[hosts.\"localhost\"]\n\(block)\n", mode: 0o600)
        let end = try await home.run(Self.look + words)
        #expect(end.status == 0 && sent(end) == expected, "\(end.output)\(end.notes)")
    }

    @Test("a value that its option doesn't take is not shown, since it may be a secret in the wrong place")
    func invalidValues() async throws {
        for line in ["http-version = \"hunter2\"", "base = \"http://u:hunter2\""] {
            let home = try ConfigurationHome("[defaults]\n\(line)\n", mode: 0o600)
            let end = try await home.run("config", "show")
            #expect(end.status == 0 && end.output.hasSuffix(" = \"<invalid>\"\n"), "\(end.output)\(end.notes)")
        }
    }

    @Test("a URL in any setting is shown without its user", arguments: ["cookies", "limit-rate", "session"])
    func otherURLs(name: String) async throws {
        let home = try ConfigurationHome("[defaults]\n\(name) = \"http://ada:hunter2@a.test/\"\n", mode: 0o600)
        let end = try await home.run("config", "show")
        #expect(end.output.hasPrefix("\(name) = ") && !end.output.contains("hunter2"), "\(end.output)\(end.notes)")
    }

    @Test("a profile's credentials stay at the origin of its base")
    func profile() async throws {
        let home = try ConfigurationHome(
            """
            [profiles.work]
            base = "http://localhost:81/v1"
            auth = "ada:cfgpw"
            headers = { X-Secret = "1" }
            [hosts."127.0.0.1"]
            auth = "eve:x"
            """,
            mode: 0o600
        )
        let work = Self.look + ["--profile", "work"]
        #expect(sent(try await home.run(work + ["users"])).count == 2)
        #expect(sent(try await home.run(work + ["http://localhost:81/"])).count == 2)
        for url in ["http://localhost:82/", "https://localhost:81/", "http://evil.test/"] {
            let end = try await home.run(work + [url])
            #expect(end.status == 0 && sent(end).isEmpty, "\(end.output)")
            #expect(end.notes.contains("config.toml, line 3: auth is not sent to"), "\(end.notes)")
        }
        #expect(sent(try await home.run(work + ["http://127.0.0.1/"])) == ["Authorization: Basic ZXZlOng="])
        let shown = try await home.run("config", "show", "--profile", "work", "http://evil.test/")
        let lines = shown.output.split(separator: "\n").filter { $0.hasPrefix("#") }
        #expect(lines.count == 2 && !shown.output.contains("cfgpw"), "\(shown)")
        #expect(
            lines.first?.hasSuffix(
                "line 3: auth is not sent to http://evil.test, because its profile's base has a different origin"
            )
                == true
        )
        #expect(try await !home.run("config", "show", "--profile", "work", "localhost:81").output.contains("#"))
    }

    @Test(
        "the user's credentials are not sent where the folder's file decides their way",
        arguments: [
            ("[defaults]\nproxy = \"http://127.0.0.1:1\"", "http://localhost/"),
            ("[defaults]\nbase = \"http://localhost/\"", "x"),
            ("[defaults]\nresolve = \"localhost:127.0.0.2\"", "http://localhost/"),
            ("[defaults]\nunix-socket = \"/tmp/s\"", "http://localhost/"),
            ("[hosts.localhost]\nauth-type = \"digest\"", "http://localhost/"),
            ("[defaults]\nverify = \"no\"", "https://localhost/"),
        ]
    )
    func mixed(folder: String, url: String) async throws {
        let home = try ConfigurationHome("[hosts.localhost]\nauth = \"ada:cfgpw\"\n", mode: 0o600)
        try home.write(folder + "\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + [url])
        #expect(end.status == 64 && sent(end).isEmpty, "\(end.output)")
        #expect(
            end.notes.contains("config.toml, line 2: ") && end.notes.contains(".cumulus.toml, line 2"),
            "\(end.notes)"
        )
        // Other hosts, and the command line's own credentials, are not affected.
        #expect(try await home.run(Self.look + ["http://127.0.0.1/"]).status == 0)
        #expect(try await home.run(Self.look + ["--no-config", "http://localhost/"]).status == 0)
    }

    @Test(
        "the proxy's password is not sent to the proxy of another file, and the user's proxy serves the folder's file"
    )
    func proxies() async throws {
        let home = try ConfigurationHome(
            "[defaults]\nproxy-user = \"ada:pw\"\nproxy = \"http://p.test:1\"\n",
            mode: 0o600
        )
        try home.write("[hosts.localhost]\nauth = \"bob:env:HOME\"\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        #expect(sent(try await home.run(Self.look + ["http://localhost/"])).count == 1)
        try home.write("[defaults]\nproxy = \"http://evil.test:1\"\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + ["http://localhost/"])
        #expect(end.status == 64 && end.notes.contains("'proxy-user' is not sent"), "\(end.notes)")
    }

    @Test(
        "all secrets need a file that others can't read, and are not shown",
        arguments: [
            "proxy = \"http://ada:hunter2@p.test:8080\"", "proxy = \"ada:hunter2@p.test:8080\"",
            "headers = { X-Api-Key = \"hunter2\" }", "headers = { authorization = \"Bearer hunter2\" }",
            "auth = \"hunter2:x:@y\"", "auth = \"hunter2:@x\"\nauth-type = \"bearer\"", "auth = \"@hunter2:x\"",
            "proxy-user = \"env:hunter2\"", "headers = { X-Session-Token = \"hunter2\" }",
        ]
    )
    func secrets(block: String) async throws {
        let text = "[hosts.localhost]\n\(block)\n"
        let shared = try ConfigurationHome(text)
        let end = try await shared.run("--offline", "http://localhost/")
        #expect(end.status == 64 && end.notes.contains("mode 600") && !end.notes.contains("hunter2"), "\(end.notes)")
        let own = try ConfigurationHome(text, mode: 0o600)
        let shown = try await own.run("config", "show", "localhost")
        #expect(shown.status == 0 && shown.output.contains("<redacted>"), "\(shown)")
        #expect(!shown.output.contains("hunter2"), "\(shown)")
        // The working folder's file, too: neither trusted nor used.
        let folder = try ConfigurationHome()
        try folder.write(text, to: "work/.cumulus.toml")
        let refused = try await folder.run("trust", "--yes")
        #expect(refused.status == 64 && refused.notes.contains("mode 600"), "\(refused.notes)")
        try folder.write(text, to: "work/.cumulus.toml", mode: 0o600)
        #expect(try await folder.run("trust", "--yes").status == 0)
        try folder.write(text, to: "work/.cumulus.toml")
        #expect(try await folder.run("--offline", "http://localhost/").status == 64)
    }

    @Test("a base with a password is a secret; references and plain URLs are not")
    func references() async throws {
        let base = try await ConfigurationHome("[defaults]\nbase = \"http://ada:hunter2@localhost/\"\n").run(
            "--offline",
            "x"
        )
        #expect(
            base.status == 64 && base.notes.contains("mode 600") && !base.notes.contains("hunter2"),
            "\(base.notes)"
        )
        let open = try ConfigurationHome(
            """
            [defaults]
            base = "localhost/@scope"
            proxy = "p.test:8080"
            proxy-user = "ada:env:HOME"
            [hosts."localhost"]
            auth = "ada:@file"
            [hosts."a.test"]
            auth = "X-Key:env:HOME"
            auth-type = "apikey"
            """
        )
        let shown = try await open.run("config", "show", "localhost")
        #expect(shown.status == 0 && !shown.output.contains("redacted"), "\(shown)")
    }

    @Test(
        "netrc entries and sessions are not sent in clear where the folder's file decides their way",
        arguments: [
            "proxy = \"http://127.0.0.1:1\"", "resolve = \"localhost:127.0.0.2\"", "unix-socket = \"/tmp/s\"",
            "resolve = \"localhost:80:127.0.0.2\"",
        ]
    )
    func stored(line: String) async throws {
        let home = try ConfigurationHome()
        try home.write("machine localhost login ada password s3cret\n", to: ".netrc", mode: 0o600)
        try home.write("[defaults]\n\(line)\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + ["http://localhost/"])
        let option = String(line.prefix { $0 != " " })
        #expect(end.status == 64 && sent(end).isEmpty, "\(end.output)")
        #expect(
            end.notes.contains(
                ".cumulus.toml, line 2: \(option) determines the route to http://localhost, and others on that route"
            ),
            "\(end.notes)"
        )
        // TLS protects them, unless the file also decides about trust.
        #expect(sent(try await home.run(Self.look + ["https://localhost/"])).count == 1)
        #expect(try await home.run(Self.look + ["--ignore-netrc", "http://localhost/"]).status == 0)
        #expect(try await home.run(Self.look + ["http://127.0.0.1/"]).status == 0)
        #expect(sent(try await home.run(Self.look + ["--no-config", "http://localhost/"])).count == 1)
        try home.write("[defaults]\n\(line)\nverify = \"no\"\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        // An address for one port is not the other's.
        let isOther = line.contains(":80:")
        #expect(try await home.run(Self.look + ["https://localhost/"]).status == (isOther ? 0 : 64))
    }

    @Test("a proxy of the folder's file that a request doesn't use, and the user's own, change nothing")
    func storedElsewhere() async throws {
        let home = try ConfigurationHome("[defaults]\nproxy = \"http://127.0.0.1:1\"\n")
        try home.write("machine localhost login ada password s3cret\n", to: ".netrc", mode: 0o600)
        #expect(sent(try await home.run(Self.look + ["http://localhost/"])).count == 1)
        let folder = "[defaults]\nproxy = \"http://127.0.0.1:1\"\nnoproxy = \"localhost\"\nresolve = \"x:1.2.3.4\"\n"
        try home.write(folder, to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        #expect(sent(try await home.run(Self.look + ["http://localhost/"])).count == 1)
    }

    @Test("a session is not sent in clear where the folder's file decides its way")
    func storedSession() async throws {
        try await withLoopbackServer(routes: { $0.get("/") { _ in .text("fine") } }) { server in
            let home = try ConfigurationHome()
            #expect(try await home.run("--session=s", "-a", "ada:pw", server.url).status == 0)
            try home.write("[defaults]\nproxy = \"http://127.0.0.1:1\"\n", to: "work/.cumulus.toml")
            #expect(try await home.run("trust", "--yes").status == 0)
            let end = try await home.run(Self.look + ["--session=s", server.url])
            #expect(
                end.status == 64 && end.notes.contains("others on that route could read the session"),
                "\(end.notes)"
            )
            #expect(sent(try await home.run(Self.look + ["--proxy=", "--session=s", server.url])).count == 1)
        }
    }

    @Test(
        "the user's cookie file is not sent in clear where the folder's file decides its way",
        arguments: ["option", "defaults", "hosts", "folder"]
    )
    func storedCookies(source: String) async throws {
        let block = source == "hosts" ? "[hosts.\"localhost\"]" : "[defaults]"
        let isOwn = source == "defaults" || source == "hosts"
        let home = try ConfigurationHome(isOwn ? "\(block)\ncookies = \"jar.txt\"\n" : nil)
        let jar = "# Netscape HTTP Cookie File\nlocalhost\tFALSE\t/\tFALSE\t0\tsid\thunter2\n"
        try home.write(jar, to: "work/jar.txt", mode: 0o600)
        let path = "\(home.folder.path)/work/jar.txt"
        let named = source == "folder" ? "cookies = \"\(path)\"\n" : ""
        try home.write("[defaults]\nproxy = \"http://127.0.0.1:1\"\n\(named)", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let options = source == "option" ? ["--cookies", "jar.txt"] : []
        let end = try await home.run(Self.look + options + ["http://localhost/"])
        #expect(end.status == 64 && end.notes.contains("others on that route could read the cookie file"), "\(end)")
        #expect(end.notes.contains(".cumulus.toml, line 2: proxy determines the route"), "\(end)")
        // TLS protects it, and so does the user's own choice of the way.
        #expect(try await home.run(Self.look + options + ["https://localhost/"]).status == 0)
        #expect(try await home.run(Self.look + ["--proxy="] + options + ["http://localhost/"]).status == 0)
        // Cookies of the folder itself are no secret of the user's.
        let own = "[defaults]\nproxy = \"http://127.0.0.1:1\"\ncookies = \"own.txt\"\n"
        try home.write(own, to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        if !isOwn, source != "option" {
            #expect(try await home.run(Self.look + ["http://localhost/"]).status == 0)
        }
    }

    @Test("a token of the environment's AWS keys is not sent in clear where the folder's file decides its way")
    func storedKeys() async throws {
        let home = try ConfigurationHome()
        try home.write("[defaults]\nproxy = \"http://127.0.0.1:1\"\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + ["-A", "aws4:eu-central-1:s3", "http://localhost/"])
        #expect(
            end.status == 64 && end.notes.contains("others on that route could read the session token of the AWS keys"),
            "\(end)"
        )
        let typed = ["-A", "aws4:eu-central-1:s3", "-a", "id:secret", "http://localhost/"]
        #expect(try await home.run(Self.look + typed).status == 0)
    }

    @Test("cumulus trust sums up what matters after the file's text")
    func summary() async throws {
        let home = try ConfigurationHome()
        let headers = (1...200).map { "X-\($0) = \"y\"" }.joined(separator: ", ")
        try home.write(
            "[defaults]\nproxy = \"http://evil.test:1\"\nverify = \"no\"\nheaders = { \(headers) }\n",
            to: "work/.cumulus.toml"
        )
        let end = try await home.run("trust", "--yes")
        #expect(end.notes.contains("sets proxy: \"http://evil.test:1\" (line 2)"), "\(end.notes)")
        #expect(end.notes.contains("sets verify: \"no\" (line 3)"), "\(end.notes)")
        #expect(end.notes.contains("'X-3' (line 4), and 197 more"), "\(end.notes)")
        #expect(end.notes.split(separator: "\n").count == 3)
        #expect(try await home.run("trust", "--remove").notes.contains("is no longer trusted"))
    }

    @Test("commands that trust files at the same time keep each other's entries")
    func parallel() async throws {
        let home = try ConfigurationHome()
        let folders = (0..<8).map { "work/f\($0)" }
        for folder in folders {
            try home.make(folder)
            try home.write("[defaults]\ntimeout = 1\n", to: "\(folder)/.cumulus.toml")
            let service =
                #"{"name": "s", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "a", "template": "a"}]}"#
            try home.write(service, to: "\(folder)/s.json")
        }
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for folder in folders {
                group.addTask { try await home.run(["trust", "--yes"], in: folder).status }
                group.addTask { try await home.run(["services", "trust", "s.json"], in: folder).status }
            }
            for try await status in group { #expect(status == 0) }
        }
        for folder in folders {
            let end = try await home.run(["config", "show"], in: folder)
            #expect(end.output == "timeout = 1\n", "\(folder): \(end)")
            #expect(try await home.run(["call", "s.json", "a", "--offline"], in: folder).status == 0)
        }
    }
}
