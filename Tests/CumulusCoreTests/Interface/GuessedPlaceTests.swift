// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusOAuth
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// URLs, paths and queries, written as those write them who have not read the documentation.
@Suite struct GuessedPlaceTests {
    enum Section: String, QueryEncodable { case news, sport }
    enum Level: Int { case low = 1, high }
    enum Shown: String, QueryEncodable, CustomStringConvertible {
        case new
        var description: String { "Brand new" }
    }

    private let echo = Echo()

    @Test func aURLIsTakenAndGivenWhereATextIs() async throws {
        let url = try #require(URL(string: "https://api.example.com/v1?key=a%20b"))
        let site = Resource(url, transport: echo.transport)
        let text: String? = site.urlString
        #expect(text == "https://api.example.com/v1?key=a%20b")
        let back = site.url
        #expect(back == url)
        let next = try #require(URL(string: "https://api.example.com/v1/next?page=2"))
        let plain = Resource("https://api.example.com/v1", transport: echo.transport)
        #expect(plain.follow(next).urlString == "https://api.example.com/v1/next?page=2")
        #expect(plain.follow("next".dropFirst(0)).urlString == "https://api.example.com/next")
        let nowhere = Resource("nonsense", transport: echo.transport).url
        #expect(nowhere == nil)
    }

    @Test func aFileURLIsNoPlaceOnAServer() async throws {
        let site = Resource(URL(filePath: "/tmp/x"), transport: echo.transport)
        #expect(try await failure { try await site.get() }.code == .invalidURL)
    }

    @Test func rawValuesAndUUIDsArePathSegments() async throws {
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        let lower = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
        #expect(try await echo.target(echo.site[Section.news]) == "/news")
        #expect(try await echo.target(echo.site["s/\(Section.sport)/\(Level.high)"]) == "/s/sport/2")
        #expect(try await echo.target(echo.site[Level.low]) == "/1")
        #expect(try await echo.target(echo.site["x/\(Shown.new)"]) == "/x/new")
        #expect(try await echo.target(echo.site[id]) == "/\(lower)")
        #expect(try await echo.target(echo.site["users/\(id)"]) == "/users/\(lower)")
    }

    @Test func aRawValueIsDataOfOneSegment() async throws {
        enum Odd: String { case climbing = "..", slash = "a/b" }
        #expect(try await echo.target(echo.site["x/\(Odd.slash)"]) == "/x/a%2Fb")
        #expect(try await failure { try await echo.site["x/\(Odd.climbing)"].get() }.code == .invalidPath)
        #expect(try await failure { try await echo.site[Odd.climbing].get() }.code == .invalidPath)
    }

    @Test func rawValuesUUIDsAndDictionariesAreQueries() async throws {
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        _ = try await echo.site.get(query: ["in": Section.news, "as": Shown.new, "id": id])
        #expect(echo.transport.lastRequest?.query == "in=news&as=new&id=6f9619ff-8b86-d011-b42d-00c04fc964ff")
        let pairs: [String: String] = ["b": "2 3", "a": "1"]
        _ = try await echo.site.get(query: Query(pairs))
        #expect(echo.transport.lastRequest?.query == "a=1&b=2%203")
        #expect(Query(["n": 1, "k": 2]).encoded() == "k=2&n=1")
    }

    @Test func foldersAndOtherFilesAreNamedByPathOrURL() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guessed \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)

        let caches = folder.appending(path: "caches")
        let site = echo.site
        site.setRules { $0.cachesDirectory = caches }
        #expect(site.cachesDirectory.locatorText == "\(path)/caches")
        #expect(try await site.download(to: .temporary).path.hasPrefix("\(path)/caches/"))
        site.setRules { $0.cachesDirectory = "\(path)/others" }
        #expect(try await site["a"].download(to: .temporary).path.hasPrefix("\(path)/others/"))

        let netrc = folder.appending(path: "netrc")
        try Data("machine a.example login ada password lovelace".utf8).write(to: netrc)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: netrc.path(percentEncoded: false)
        )
        let origin = Origin(scheme: .https, host: "a.example")
        #expect(try NetrcFile(path: netrc).credentials(for: origin)?.user == "ada")
        #expect(try NetrcFile(path: "\(path)/netrc").credentials(for: origin)?.user == "ada")

        let token = OAuth2Token(access: "t")
        try await FileTokenStore(folder.appending(path: "token")).keep(token)
        #expect(try await FileTokenStore("\(path)/token").token()?.access.revealed == "t")

        try Data("text".utf8).write(to: folder.appending(path: "a.txt"))
        for set in [
            try FixtureSet(json: Array(#"{"GET /": {"file": "a.txt"}}"#.utf8), filesIn: folder),
            try FixtureSet(json: Array(#"{"GET /": {"file": "a.txt"}}"#.utf8), filesIn: path),
        ] {
            let fixed = Resource("https://api.example.com", transport: echo.transport) { $0.fixtures = set }
            #expect(try await fixed.get(as: String.self) == "text")
        }

        let keys = folder.appending(path: "credentials")
        try Data("[default]\naws_access_key_id = AKID\naws_secret_access_key = s\n".utf8).write(to: keys)
        let thing = try RequestURL("https://photos.s3.eu-central-1.amazonaws.com/cat.png")
        for source in [
            AWSCredentialSource.file(keys, profile: "default"), .file("\(path)/credentials", profile: "default"),
        ] {
            #expect(try await AWSAuthorizer(source).presign(thing, for: .seconds(60)).description.contains("=AKID%2F"))
        }
    }

    @Test func filesAreNamedByPathOrURL() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guessed \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a b.txt")
        let path = file.path(percentEncoded: false)
        try Data("text".utf8).write(to: file)

        _ = try await echo.site.put(.file(file))
        _ = try await echo.site.put(.file(path))
        _ = try await echo.site.put(.file(path))
        _ = try await echo.site.put(.file(file))
        #expect(echo.transport.requests.map(\.text) == ["text", "text", "text", "text"])
        #expect(echo.transport.requests.allSatisfy { $0.headers["Content-Type"] == "text/plain" })

        let down = try await echo.site.download(to: folder.appending(path: "down"))
        _ = try await echo.site.download(to: "\(folder.path(percentEncoded: false))/other")
        _ = try await echo.site.call(.get).download(to: folder.appending(path: "third")).send()
        let moved = try down.move(to: folder.appending(path: "moved"))
        #expect(moved.path == folder.appending(path: "moved").path(percentEncoded: false))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
        #expect(names == ["a b.txt", "moved", "other", "third"])
    }

    @Test func optionsOfADownloadAreWrittenInOnePlace() throws {
        #expect(DownloadOptions(connections: 4).connections == 4)
        #expect(DownloadOptions(keepsPartial: true, setsModificationTime: true).keepsPartial)
    }
}
