// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Files of cookies: curl's format, which cookies are kept, permissions, and invalid files.
@Suite(.timeLimit(.minutes(10))) struct CookieFileTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func jar(_ path: String, session: Bool = false) async throws -> CookieJar {
        try await CookieJar(file: path, keepsSessionCookies: session, time: { [time] in time })
    }

    @Test("a jar's file is replaced atomically, and private to its owner") func theFileIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep/cookies.txt"
        let jar = try await jar(path)
        #expect(jar.cookies.isEmpty)
        try await jar.save()
        #expect(!FileManager.default.fileExists(atPath: path))
        try jar.set(
            "a=1; Max-Age=60; Domain=example.com; Secure; HttpOnly; SameSite=Lax; Path=/x",
            from: "https://www.example.com/"
        )
        try jar.set("b=2", from: "https://www.example.com/")
        try await jar.save()
        #expect(try mode(path) == 0o600)
        #expect(try mode(folder.path + "/deep") == 0o700)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep").sorted() == [
                "cookies.txt", "cookies.txt.lock",
            ]
        )
        let lines = String(decoding: try folder.bytes("deep/cookies.txt"), as: UTF8.self).split(separator: "\n")
        #expect(lines.suffix(2) == ["# SameSite=Lax", "#HttpOnly_.example.com\tTRUE\t/x\tTRUE\t1800000060\ta\t1"])
        // Session cookies are not stored; everything else is read back unchanged.
        let again = try await self.jar(path)
        #expect(again.cookies == jar.cookies.filter { $0.expires != nil })
    }

    @Test("a file that others can read is accepted, and made private when written") func modes()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.write(".example.com\tTRUE\t/\tFALSE\t0\ta\t1\n", to: "c")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let jar = try await jar(path, session: true)
        try jar.set("b=2", from: "https://example.com")
        try await jar.save()
        #expect(try mode(path) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        await #expect(throws: FileProblem.self) { try await self.jar(path) }
    }

    @Test("a wait for another process that holds the lock can have a limit") func limitedWait() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let jar = try await CookieJar(file: folder.path + "/c", for: nil, keepsSessionCookies: true, clock: clock)
        try jar.set("a=1", from: "https://example.com")
        let other = try FileLock(FilePath(folder.path + "/c.lock"))
        #expect(try other.take())
        let saving = Task { try await jar.save(within: .seconds(10)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(9))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        let problem = await #expect(throws: FileProblem.self) { try await saving.value }
        #expect(problem?.description == "can't write \"\(folder.path)/c\": another process has held its lock for 10 s")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/c"))
        other.release()
        try await jar.save(within: .zero)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/c"))
    }

    @Test func sessionCookiesAreKeptWhereThatIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let jar = try await jar(path, session: true)
        try jar.set("a=1; SameSite=Strict", from: "https://example.com/x/y")
        try await jar.save()
        #expect(try await self.jar(path, session: true).cookies == jar.cookies)
        #expect(try await self.jar(path).cookies.isEmpty)
    }

    @Test func twoJarsOfAFileUndoNothingOfEachOther() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let first = try await jar(path, session: true)
        try first.set("a=1", from: "https://example.com")
        try first.set("b=1", from: "https://example.com")
        try await first.save()
        let second = try await jar(path, session: true)
        first.remove { $0.name == "a" }
        try first.set("c=1", from: "https://example.com")
        try second.set("b=2", from: "https://example.com")
        try second.set("d=1", from: "https://example.com")
        try await first.save()
        try await second.save()
        #expect(second.cookies.map { "\($0.name)=\($0.value.revealed)" }.sorted() == ["b=2", "c=1", "d=1"])
        #expect(try await Set(jar(path, session: true).cookies) == Set(second.cookies))
    }

    @Test func manyJarsOfAFileLoseNothing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let jar = try await self.jar(path, session: true)
                    try jar.set("c\(number)=1", from: "https://example.com")
                    try await jar.save()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await jar(path, session: true).cookies.count == 8)
    }

    @Test func aFileOfCurlsIsReadAndGoesBack() throws {
        let text = """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            example.com\tFALSE\t/\tFALSE\t0\tsession\tx
            .example.com\tTRUE\t/a b\tTRUE\t1900000000\tlate\ty=z
            #HttpOnly_www.example.com\tFALSE\t/\tTRUE\t0\tonly\t
            127.0.0.1\tTRUE\t/\tfalse\t0\tempty
            .com\tTRUE\t/\tFALSE\t0\tsuffix\tx
            .example.com\tTRUE\t/\tFALSE\t1\tended\tx
            .example.com\tTRUE\t/\tFALSE\t99999999999999999999\tforever\tx\r

            """
        let jar = CookieJar(time: { [time] in time })
        try jar.importCookies(from: Array(text.utf8))
        let names = jar.cookies.map(\.name).sorted()
        #expect(names == ["empty", "forever", "late", "only", "session"])
        let only = try #require(jar.cookies.first { $0.name == "only" })
        #expect(only.isHTTPOnly && only.isHostOnly && only.isSecure && only.domain == "www.example.com")
        let forever = try #require(jar.cookies.first { $0.name == "forever" })
        #expect(forever.expires == time.addingTimeInterval(400 * 86_400))
        let copy = CookieJar(time: { [time] in time })
        try copy.importCookies(from: jar.exportCookies())
        #expect(Set(copy.cookies) == Set(jar.cookies))
        #expect(!String(decoding: jar.exportCookies(withSessionCookies: false), as: UTF8.self).contains("session"))
    }

    @Test(
        "an invalid line is reported by its number, and nothing is imported",
        arguments: [
            ("x", 2, "seven tab-separated fields"), ("a\tb\tc\td\te", 2, "seven tab-separated fields"),
            ("x.example\tFALSE\t/\tFALSE\t0\ta\tb\tc", 2, "seven tab-separated fields"),
            ("x.example\tperhaps\t/\tFALSE\t0\ta\t1", 2, "second field"),
            ("x.example\tTRUE\t/\t1\t0\ta\t1", 2, "fourth field"),
            ("x.example\tTRUE\t/\tTRUE\t-1\ta\t1", 2, "fifth field"),
            ("x.example\tTRUE\t/\tTRUE\t1.5\ta\t1", 2, "fifth field"),
            ("x.example\tTRUE\tx\tTRUE\t0\ta\t1", 2, "slash"), ("\tTRUE\t/\tTRUE\t0\ta\t1", 2, "host name"),
            ("x y\tTRUE\t/\tTRUE\t0\ta\t1", 2, "host name"),
            ("x.example\tTRUE\t/\tTRUE\t0\ta\u{1}\t1", 2, "control"),
            ("x.example\tTRUE\t/\tTRUE\t0\ta\t1\u{0}", 2, "control"),
            (String(repeating: "x", count: 9_000), 2, "too long"),
            (String(repeating: "\n", count: 30_000), 20_001, "too many lines"),
        ]
    )
    func badLines(line: String, number: Int, reason: String) async throws {
        let text = "x.example\tFALSE\t/\tFALSE\t0\tgood\thunter2\n\(line)\n"
        let jar = CookieJar()
        let problem = #expect(throws: CookieFileProblem.self) { try jar.importCookies(from: Array(text.utf8)) }
        #expect(
            problem?.line == number && problem?.reason.contains(reason) == true,
            "\(problem.map(String.init(describing:)) ?? "")"
        )
        #expect(jar.cookies.isEmpty)
        // A jar with such a file reports it, too, and leaves the file unchanged.
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "c")
        await #expect(throws: CookieFileProblem.self) { try await self.jar(path) }
        #expect(try folder.bytes("c") == Array(text.utf8))
    }

    @Test(
        "no cookie can add a line",
        arguments: [
            "a=1\n.example.org\tTRUE\t/\tFALSE\t0\tevil\t1", "a=1\tb", "a\tb=1", "a=1; Path=/\tx", "a=1; Path=/x\ny",
            "a=1\r", "#HttpOnly_x=1",
        ]
    )
    func injections(field: String) throws {
        let jar = CookieJar(time: { [time] in time })
        try? jar.set(field, from: "https://example.com/")
        let copy = CookieJar(time: { [time] in time })
        try copy.importCookies(from: jar.exportCookies())
        #expect(copy.cookies == jar.cookies)
        #expect(copy.cookies.allSatisfy { $0.domain == "example.com" })
    }

    @Test func aFolderALinkAndAHugeFileAreRefused() async throws {
        let folder = try TemporaryFolder()
        func refusal(of path: String) async -> String {
            do { _ = try await jar(path) } catch { return "\(error)" }
            return "none"
        }
        await #expect(throws: FileProblem.self) { try await self.jar(folder.path) }
        #expect(await refusal(of: folder.path).hasSuffix("it is a directory"))
        #expect(await refusal(of: "/dev/null").hasSuffix("it is not a regular file"))
        let target = try folder.write("", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: target)
        await #expect(throws: FileProblem.self) { try await self.jar(folder.path + "/link") }
        let reason = await refusal(of: folder.path + "/link")
        #expect(reason.hasSuffix("it is a symbolic link; use the path of the file itself"))
        let huge = try folder.write("", to: "huge")
        try FileHandle(forWritingTo: URL(fileURLWithPath: huge)).truncate(atOffset: 1 << 30)
        await #expect(throws: FileProblem.self) { try await self.jar(huge) }
        #expect(await refusal(of: huge).contains("it is longer than "))
        let open = try folder.write("", to: "open")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: open)
        #expect(await refusal(of: open).hasSuffix("other users can write to it; change it to mode 600"))
    }

    @Test func whatComesWhileTheFileIsWrittenIsNotLost() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let jar = try await jar(path, session: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try jar.set("c\(number)=1", from: "https://example.com")
                    try await jar.save()
                }
            }
            try await group.waitForAll()
        }
        try await jar.save()
        #expect(jar.cookies.count == 12)
        #expect(try await self.jar(path, session: true).cookies.count == 12)
    }
}

/// The part of a cookie file in the identity of stored responses.
@Suite(.timeLimit(.minutes(10))) struct CookieFileMarkTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/cookies.txt" }

    init() throws { folder = try TemporaryFolder() }

    private func saved(_ cookie: String, session: Bool = false) async throws -> CookieJar {
        let jar = try await CookieJar(file: path, keepsSessionCookies: session)
        try jar.set(cookie, from: "https://a.example/")
        try await jar.save()
        return jar
    }

    @Test func anotherProcessRecognizesASavedFile() async throws {
        let jar = try await saved("s=1; Max-Age=600")
        let identity = try #require(jar.lastingIdentity)
        #expect(try await CookieJar(file: path).lastingIdentity == identity)
        // A new value keeps it; another cookie may be another user's.
        #expect(try await saved("s=2; Max-Age=600").lastingIdentity == identity)
        let other = try #require(try await saved("t=1; Max-Age=600").lastingIdentity)
        #expect(other != identity)
        #expect(try await CookieJar(file: path).lastingIdentity == other)
    }

    @Test("a jar that keeps no session cookies leaves those of other programs in the file") func othersSessionCookies()
        async throws
    {
        let jar = try await CookieJar(file: path, keepsSessionCookies: true)
        try jar.set("sid=1; Path=/", from: "https://a.example/")
        try await jar.save()
        let other = try await CookieJar(file: path)
        #expect(other.cookies.isEmpty)
        try other.set("theme=dark; Path=/; Max-Age=600", from: "https://a.example/")
        try other.set("own=1; Path=/", from: "https://a.example/")
        try await other.save()
        let names = try await CookieJar(file: path, keepsSessionCookies: true).cookies.map(\.name)
        #expect(Set(names) == ["sid", "theme"])
    }

    @Test func aFileThatWasDeletedAndMadeAgainIsAnother() async throws {
        let first = try await saved("s=ann; Max-Age=600").lastingIdentity
        try FileManager.default.removeItem(atPath: path)
        #expect(try await CookieJar(file: path).lastingIdentity == nil)
        let second = try await saved("s=bob; Max-Age=600").lastingIdentity
        #expect(first != nil && second != nil && first != second)
    }

    @Test func aFileThatChangedHandsWhileAJarHadItIsAnother() async throws {
        let ann = try await saved("s=ann; Max-Age=600")
        let first = ann.lastingIdentity
        try FileManager.default.removeItem(atPath: path)
        let bob = try await saved("s=bob; Max-Age=600").lastingIdentity
        try ann.set("t=ann; Max-Age=600", from: "https://a.example/")
        try await ann.save()
        let merged = try #require(ann.lastingIdentity)
        #expect(merged != first && merged != bob)
    }

    @Test func cookiesThatEndWithTheProcessAreNotLasting() async throws {
        #expect(try await saved("s=1", session: true).lastingIdentity != nil)
        #expect(try await saved("s=1").lastingIdentity == nil)
        #expect(CookieJar().lastingIdentity == nil)
    }

    @Test(
        "a file of another program is recognized by its bytes, until a cookie changes",
        arguments: ["", "# Jar=1", "# Jar=0123456789abcdef0123456789abcdef\n# Jar=0123456789abcdef0123456789abcdef"]
    )
    func anotherProgramsFile(mark: String) async throws {
        func write(_ value: String) throws {
            let line = "a.example\tFALSE\t/\tTRUE\t4000000000\ts\t\(value)"
            _ = try folder.write("# Netscape HTTP Cookie File\n\(mark)\n\(line)\n", to: "cookies.txt")
        }
        try write("1")
        let jar = try await CookieJar(file: path)
        let first = try #require(jar.lastingIdentity)
        #expect(try await CookieJar(file: path).lastingIdentity == first)
        // The digest doesn't stand for other bytes, even if only the value of a cookie changes.
        try jar.set("s=2; Secure; Path=/; Max-Age=600", from: "https://a.example/")
        try await jar.save()
        let second = try await CookieJar(file: path).lastingIdentity
        #expect(second != nil && second != first && jar.lastingIdentity == second)
        try write("1")
        #expect(try await CookieJar(file: path).lastingIdentity == first)
        try write("3")
        #expect(try await CookieJar(file: path).lastingIdentity != first)
    }
}
