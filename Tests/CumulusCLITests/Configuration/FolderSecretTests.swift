// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// What a trusted folder's file can send, and read of what is typed, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct FolderSecretTests {
    private static let look = ["--offline", "--show-secrets", "-p", "H"]
    private static let profile = "[profiles.p]\nbase = \"http://h.test/\"\nauth-type = \"bearer\"\n"

    @Test(
        "a folder's file can't name a file outside its folder, neither when it is trusted nor when it is used",
        arguments: [
            "auth = \"@../secret\"", "auth = \"@a/../../secret\"", "auth = \"@/etc/hostname\"",
            "auth = \"@~/secret\"",
            "proxy-user = \"u:@../secret\"",
        ]
    )
    func elsewhere(line: String) async throws {
        let home = try ConfigurationHome()
        try home.write("hunter2", to: "secret")
        try home.write("\(Self.profile)\(line)\n", to: "work/.cumulus.toml", mode: 0o600)
        let end = try await home.run("trust", "--yes")
        let name = String(line.prefix { $0 != " " })
        #expect(end.status == 64, "\(end)")
        #expect(end.notes.contains(".cumulus.toml, line 4: \(name) refers to the file '"), "\(end.notes)")
        #expect(end.notes.contains("which is not in this folder"), "\(end.notes)")
    }

    @Test(
        "a file of the folder is read, and one behind a symbolic link is refused, also if the link is newer than trust"
    )
    func links() async throws {
        for block in [Self.profile, "[hosts.\"h.test\"]\nauth-type = \"bearer\"\n"] {
            let home = try ConfigurationHome()
            try home.write("hunter2\n", to: "secret")
            try home.make("work/keys")
            try home.write("fine\n", to: "work/keys/tok")
            try home.write("\(block)auth = \"@keys/tok\"\n", to: "work/.cumulus.toml")
            #expect(try await home.run("trust", "--yes").status == 0)
            let words = block == Self.profile ? ["--profile", "p", "x"] : ["http://h.test/"]
            let own = try await home.run(Self.look + words)
            #expect(own.status == 0 && own.output.contains("Authorization: Bearer fine"), "\(own)")
            let work = "\(home.folder.path)/work"
            try FileManager.default.removeItem(atPath: "\(work)/keys/tok")
            try FileManager.default.createSymbolicLink(
                atPath: "\(work)/keys/tok",
                withDestinationPath: "../../secret"
            )
            let line = block == Self.profile ? 4 : 3
            try await expectRefusal(of: words, line: line, home)
            // Of a folder on the way, too.
            try FileManager.default.removeItem(atPath: "\(work)/keys")
            try home.make("others")
            try home.write("hunter2\n", to: "others/tok")
            try FileManager.default.createSymbolicLink(atPath: "\(work)/keys", withDestinationPath: "../others")
            try await expectRefusal(of: words, line: line, home)
            // The command line's own words may name any file.
            let typed = try await home.run(
                Self.look + ["--no-config", "-A", "bearer", "-a", "@../secret", "http://h.test/"]
            )
            #expect(typed.output.contains("Bearer hunter2"), "\(typed)")
        }
    }

    private func expectRefusal(of words: [String], line: Int, _ home: ConfigurationHome) async throws {
        let end = try await home.run(Self.look + words)
        #expect(end.status == 64 && !end.output.contains("hunter2"), "\(end)")
        let place =
            ".cumulus.toml, line \(line): the file 'keys/tok' in --auth is not used: its path contains a symbolic link"
        #expect(end.notes.contains(place), "\(end.notes)")
    }

    @Test("cumulus trust says which variables and files go where")
    func sentences() async throws {
        let home = try ConfigurationHome()
        let text = """
            [defaults]
            base = "http://b.test/v1"
            proxy = "http://p.test:8080"
            proxy-user = "ada:env:PROXYPASS"
            [profiles.p]
            base = "http://h.test/"
            auth = "env:TOK"
            auth-type = "bearer"
            [profiles.q]
            auth = "X-Key:@key"
            auth-type = "apikey"
            [hosts."*.x.test"]
            auth = "bob:env:PASS"
            [hosts."s3.test"]
            auth-type = "aws4"
            """
        try home.write(text + "\n", to: "work/.cumulus.toml")
        let end = try await home.run("trust", "--yes")
        #expect(end.status == 0)
        for sentence in [
            "sends your variable PROXYPASS to \"http://p.test:8080\" (line 4)",
            "sends your variable TOK to \"http://h.test/\" (line 7)",
            "sends this folder's file key to \"http://b.test/v1\" (line 10)",
            "sends your variable PASS to \"*.x.test\" (line 13)",
            "sends the session token of your AWS keys to \"s3.test\" (line 15)",
        ] {
            #expect(end.notes.contains("cumulus: \(sentence)"), "\(end.notes)")
        }
        let many = (1...14).map { "[hosts.\"h\($0).test\"]\nauth = \"u:env:V\($0)\"\n" }.joined()
        try home.write(many, to: "work/.cumulus.toml")
        let long = try await home.run("trust", "--yes")
        #expect(long.notes.contains("sends your variable V10 to ") && !long.notes.contains("V11 to"), "\(long.notes)")
        #expect(long.notes.contains("sends 4 more of your secrets"), "\(long.notes)")
    }

    @Test("the default entry of the netrc file isn't for a host that the folder's base names")
    func defaultEntry() async throws {
        let home = try ConfigurationHome()
        try home.write("default login ada password s3cret\n", to: ".netrc", mode: 0o600)
        for url in ["http://h.test/", "https://h.test/"] {
            try home.write("[defaults]\nbase = \"\(url)\"\n", to: "work/.cumulus.toml")
            #expect(try await home.run("trust", "--yes").status == 0)
            let end = try await home.run(Self.look + ["x"])
            #expect(end.status == 64 && !end.output.contains("Authorization"), "\(end)")
            #expect(end.notes.contains(".cumulus.toml, line 2: base determines the host"), "\(end.notes)")
            // A whole URL is the user's own.
            #expect(try await home.run(Self.look + [url]).output.contains("Authorization: Basic"))
            #expect(try await home.run(Self.look + ["--ignore-netrc", "x"]).status == 0)
        }
        try home.write(
            "machine h.test login ada password s3cret\ndefault login x password y\n",
            to: ".netrc",
            mode: 0o600
        )
        #expect(try await home.run(Self.look + ["x"]).output.contains("Authorization: Basic YWRhOnMzY3JldA=="))
    }

    @Test(
        "what is typed is not sent in clear where the folder's file decides its way",
        arguments: [
            (["-a", "bob:hunter2", "http://localhost/"], "the credentials in --auth"),
            (["-A", "bearer", "-a", "env:HOME", "http://localhost/"], "the credentials in --auth"),
            (["-A", "apikey", "-a", "k==hunter2", "http://localhost/"], "the credentials in --auth"),
            (["http://bob:hunter2@localhost/"], "the user in the URL"),
            (["http://localhost/", "X-Api-Key:hunter2"], "the header 'X-Api-Key'"),
            (["--session=new", "http://localhost/", "X-Tok:hunter2"], "the session"),
        ],
        ["proxy = \"http://127.0.0.1:1\"", "resolve = \"localhost:127.0.0.2\""]
    )
    func typed(words: ([String], String), line: String) async throws {
        let home = try ConfigurationHome()
        try home.write("[defaults]\n\(line)\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + words.0)
        #expect(end.status == 64 && !end.output.contains("hunter2"), "\(end)")
        let option = String(line.prefix { $0 != " " })
        let reason =
            "\(option) determines the route to http://localhost, and others on that route could read \(words.1)"
        #expect(end.notes.contains(reason), "\(end.notes)")
        #expect(end.notes.contains("hint: write --\(option) on the command line, or --no-config"), "\(end.notes)")
        #expect(try await home.run(Self.look + ["--no-config"] + words.0).status == 0)
        let secure = words.0.map { $0.replacing("http://", with: "https://") }
        #expect(try await home.run(Self.look + secure).status == 0)
        // Without a secret, the folder's way is taken.
        #expect(try await home.run(Self.look + ["http://localhost/", "X-A:b"]).status == 0)
    }

    @Test("a base of the user's with a password counts as typed, and one of the folder's as the folder's")
    func bases() async throws {
        let home = try ConfigurationHome("[defaults]\nbase = \"http://bob:hunter2@localhost/\"\n", mode: 0o600)
        try home.write("[defaults]\nproxy = \"http://127.0.0.1:1\"\n", to: "work/.cumulus.toml")
        #expect(try await home.run("trust", "--yes").status == 0)
        let end = try await home.run(Self.look + ["x"])
        #expect(end.status == 64, "\(end)")
        #expect(end.notes.contains("others on that route could read the user in the configuration's base"), "\(end)")
        let own = "[defaults]\nproxy = \"http://127.0.0.1:1\"\nbase = \"http://eve:own@localhost/\"\n"
        try home.write(own, to: "work/.cumulus.toml", mode: 0o600)
        #expect(try await home.run("trust", "--yes").status == 0)
        let folder = try await home.run(Self.look + ["x"])
        #expect(folder.status == 0 && folder.output.contains("Authorization: Basic ZXZlOm93bg=="), "\(folder)")
        #expect(try await home.run(Self.look + ["-a", "bob:x", "x"]).status == 64)
    }
}
