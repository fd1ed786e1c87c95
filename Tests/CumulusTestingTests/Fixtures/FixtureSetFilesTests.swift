// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Sets of fixtures from JSON, property lists and folders.
@Suite struct FixtureSetFilesTests {
    private let offline = Offline()

    private func site(_ set: FixtureSet) -> Resource {
        offline.site.setRules {
            $0.fixtures = set
            $0.fixtureUse = .only
        }
        return offline.site
    }

    @Test func aSetIsReadFromJSON() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("from a file", to: "text.txt")
        let path = try folder.write(
            """
            {
              "GET /text": "hello",
              "GET /list": [1, 2],
              "GET /json": {"json": {"id": 1}, "status": 201, "headers": {"ETag": "\\"1\\"", "Via": ["a", "b"]}},
              "GET /bytes": {"bytes": "AAH/"},
              "GET /file": {"file": "text.txt"},
              "GET /down": {"failure": "connect"},
              "GET /turns": {"sequence": [{"status": 503}, "up"], "then": "fail"},
              "DELETE /": {"status": 204}
            }
            """,
            to: "set.json"
        )
        let site = site(try FixtureSet(contentsOfFile: path))
        #expect(try await site["text"].get().text == "hello")
        let list = try await site["list"].get(as: [Int].self)
        #expect(list == [1, 2])
        let json = try await site["json"].get()
        #expect(json.status.code == 201)
        #expect(json.header("ETag") == "\"1\"")
        #expect(json.header("Via") == "a, b")
        #expect(json.text == #"{"id":1}"#)
        #expect(try await site["bytes"].get().bytes.bytes == [0, 1, 255])
        #expect(try await site["file"].get().text == "from a file")
        site.setRules { $0.retry = .never }
        #expect(try await failure { try await site["down"].get() }.code == .connect)
        #expect(try await site["turns"].get().status.code == 503)
        #expect(try await site["turns"].get().text == "up")
        #expect(try await failure { try await site["turns"].get() }.code == .fixture)
        #expect(try await site.delete().status.code == 204)
    }

    @Test func aSetIsReadFromAPropertyList() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>GET /text</key><string>hello</string>
              <key>GET /list</key><array><integer>1</integer><true/><real>1.5</real></array>
              <key>GET /data</key><data>AAH/</data>
              <key>GET /item</key><dict>
                <key>json</key><dict><key>name</key><string>Ada</string></dict>
                <key>status</key><integer>203</integer>
              </dict>
            </dict></plist>
            """,
            to: "set.plist"
        )
        let site = site(try FixtureSet(contentsOfFile: path))
        #expect(try await site["text"].get().text == "hello")
        #expect(try await site["list"].get().text == "[1,true,1.5]")
        #expect(try await site["data"].get().bytes.bytes == [0, 1, 255])
        let item = try await site["item"].get()
        #expect(item.status.code == 203)
        #expect(item.text == #"{"name":"Ada"}"#)
    }

    @Test func aFoldersFilesAreFixtures() async throws {
        let folder = try TemporaryFolder()
        for name in [
            "GET.json", "posts/GET.json", "posts/:id/GET.txt", "posts/POST.201.json", "a b/GET.txt", "notes.txt",
            ".hidden/GET.json",
        ] { _ = try folder.write("\"\(name)\"", to: name) }
        let site = site(try FixtureSet(contentsOfFolder: folder.path))
        #expect(try await site.get().text == "\"GET.json\"")
        #expect(try await site["posts"].get().mediaType == .json)
        #expect(try await site["posts"][7].get().text == "\"posts/:id/GET.txt\"")
        let created = try await site["posts"].post()
        #expect(created.status.code == 201)
        #expect(try await site[segment: "a b"].get().text == "\"a b/GET.txt\"")
        #expect(site.fixtures.signatures.count == 5)
    }

    @Test(
        arguments: [
            (#"[1]"#, "must be an object"), (#"{"#, "not valid JSON"), (#"{"GET": "x"}"#, "METHOD /path"),
            (#"{"GET /": {}}"#, "neither content nor a status"),
            (#"{"GET /": {"txt": "x"}}"#, "unknown member \"txt\""),
            (#"{"GET /": {"text": 1}}"#, "\"text\" must be a string"), (#"{"GET /": {"status": 99}}"#, "\"status\""),
            (#"{"GET /": {"text": "a", "json": 1}}"#, "only one kind of content"),
            (#"{"GET /": {"bytes": "?"}}"#, "Base64"), (#"{"GET /": {"failure": "boredom"}}"#, "boredom"),
            (#"{"GET /": {"sequence": []}}"#, "must be a list"), (#"{"GET /": {"sequence": "x"}}"#, "must be a list"),
            (#"{"GET /": {"sequence": [{"sequence": ["x"]}]}}"#, "contain another sequence"),
            (#"{"GET /": {"text": "x", "then": "fail"}}"#, "is allowed only with"),
            (#"{"GET /": {"sequence": ["x"], "then": "stop"}}"#, "must be \"repeat\""),
            (#"{"GET /": {"text": "x", "delay": -1}}"#, "\"delay\""),
            (#"{"GET /": {"sequence": ["x"], "status": 503}}"#, "\"status\" can't be combined with \"sequence\""),
            (#"{"GET /": {"failure": "connect", "headers": {"a": "b"}}}"#, "\"headers\" can't be combined"),
            (#"{"GET /": {"text": "x", "headers": {"a b": "c"}}}"#, "not a token"),
            (#"{"GET /": {"text": "x", "headers": {"a": 1}}}"#, "must be a string"),
        ]
    ) func whatIsWrongIsNamed(text: String, problem: String) {
        do {
            _ = try FixtureSet(json: Array(text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains(problem), "\(error)")
        }
    }

    @Test(arguments: ["", "<plist>", "bplist00", "{"]) func aBrokenPropertyListIsRefused(text: String) {
        #expect(throws: FixtureProblem.self) { try FixtureSet(propertyList: Array(text.utf8)) }
    }

    @Test func missingFilesAreNamed() async throws {
        #expect(throws: FixtureProblem.self) { try FixtureSet(contentsOfFile: "/nowhere/set.json") }
        #expect(throws: FixtureProblem.self) { try FixtureSet(contentsOfFolder: "/nowhere") }
        let site = site(["GET /": .file("/nowhere/a.json"), "GET /folder": .file("/tmp")])
        let error = try await failure { try await site.get() }
        #expect(error.code == .fixture)
        #expect(error.message.contains("/nowhere/a.json"))
        #expect(try await failure { try await site["folder"].get() }.message.contains("is a folder"))
    }

    @Test("a named pipe that nobody writes to is refused, not waited for") func pipesAreRefused() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let site = site(["GET /": .file(path)])
        #expect(try await failure { try await site.get() }.message.contains("is not a regular file"))
    }

    @Test("numbers beyond signed ones survive a property list") func largeNumbers() async throws {
        let list =
            "<plist><dict><key>GET /</key><dict><key>json</key><integer>18446744073709551615</integer></dict></dict></plist>"
        let site = site(try FixtureSet(propertyList: Array(list.utf8)))
        #expect(try await site.get().text == "18446744073709551615")
    }

    @Test("a set of ten thousand signatures is read in linear time", .timeLimit(.minutes(1)))
    func manySignatures() throws {
        let pairs = (0..<10_000).map { "\"GET /posts/\($0)\": \($0)" }
        var set = try FixtureSet(json: Array("{\(pairs.joined(separator: ","))}".utf8))
        #expect(set.signatures.count == 10_000 && set["GET /posts/9999"] != nil)
        set["GET /posts/5"] = nil
        set["GET /posts/6"] = .text("new")
        set.inherit("GET /posts/7")
        #expect(set["GET /posts/5"] == nil && set["GET /posts/7"] == nil && set["GET /posts/8"] != nil)
        #expect(set.signatures.count == 9_998 && set.signatures.first == "GET /posts/0")
        #expect(site(set).fixtures.signatures.count == 9_998)
    }
}
