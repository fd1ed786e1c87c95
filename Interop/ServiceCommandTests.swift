// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusYAML
import Foundation
import Testing

/// `cumulus call` against services that describe themselves.
@Suite(.enabled(if: BuiltCommand.path != nil, "\(InteropServers.reason)"))
struct ServiceCommandTests {
    private let home = NSTemporaryDirectory() + "cumulus-\(UUID().uuidString)"

    private func run(_ words: String..., as user: String? = "ada:love") throws -> BuiltCommand.Outcome {
        let identity = user.map { ["-a", $0] } ?? []
        return try BuiltCommand.run(
            words + (words[0] == "call" ? identity : []),
            environment: ["XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "HOME": home]
        )
    }

    @Test(.enabled(if: InteropServers.kinto != nil, "\(InteropServers.reason)"))
    func kintoIsDrivenByItsOwnDocument() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let kinto = InteropServers.kinto ?? ""
        let added = try run("services", "import", "\(kinto)/__api__", "--name", "kinto")
        #expect(added.status == 0, "\(added.errors)")
        let place = ["bucket_id=shop", "collection_id=orders"]
        #expect(try run("call", "kinto", "update_account", "id=ada", "data[password]=love", as: nil).status == 0)
        #expect(try run("call", "kinto", "create_bucket", "data[id]=shop").status == 0)
        #expect(try run("call", "kinto", "create_collection", place[0], "data[id]=orders").status == 0)
        for number in 1...250 {
            let made = try run("call", "kinto", "create_record", place[0], place[1], "data[number]:=\(number)")
            #expect(made.status == 0, "\(made.errors)")
        }
        try page(place)
        try change(place)
        #expect(try run("call", "kinto", "delete_bucket", "id=shop").status == 0)
        #expect(try run("call", "kinto", "get_bucket", "id=shop").status == 4)
    }

    /// Goes through the pages by the tokens of the `Next-Page` fields.
    private func page(_ place: [String]) throws {
        var numbers: Set<Int> = []
        var pages = 0
        var token: String?
        repeat {
            var words = ["call", "kinto", "get_records", place[0], place[1], "_limit=100", "_sort=number"]
            if let token { words.append("_token=\(token)") }
            words += ["-p", "hb", "-a", "ada:love"]
            let outcome = try BuiltCommand.run(words, environment: ["XDG_CONFIG_HOME": home, "HOME": home])
            let parts = outcome.output.components(separatedBy: "\r\n\r\n")
            let head = parts[0].components(separatedBy: "\r\n")
            let next = head.first { $0.lowercased().hasPrefix("next-page:") }
            let query = next.flatMap {
                URLComponents(string: String($0.dropFirst(10)).trimmingCharacters(in: .whitespaces))
            }
            token = query?.queryItems?.first { $0.name == "_token" }?.value
            let records = try JSON(parsing: parts.dropFirst().joined())["data"].array ?? []
            numbers.formUnion(records.compactMap { $0["number"].int })
            pages += 1
        } while token != nil && pages < 10
        #expect(numbers == Set(1...250))
        #expect(pages == 3)
    }

    private func change(_ place: [String]) throws {
        let whole =
            ["call", "kinto"] + ["create_record"] + place + ["data[id]=one", "data[title]=a", "-a", "ada:love"]
        let made = try BuiltCommand.run(whole, environment: ["XDG_CONFIG_HOME": home, "HOME": home])
        let stamp = try #require(try JSON(parsing: made.output)["data"]["last_modified"].int)
        let write = ["call", "kinto", "update_record"] + place
        func update(_ title: String) throws -> BuiltCommand.Outcome {
            try BuiltCommand.run(
                write + ["id=one", "data[title]=\(title)", "If-Match=\"\(stamp)\"", "-a", "ada:love"],
                environment: ["XDG_CONFIG_HOME": home, "HOME": home]
            )
        }
        let first = try update("b")
        #expect(first.status == 0, "\(first.errors)")
        let conflict = try update("c")
        #expect(conflict.status == 4)
        #expect(conflict.errors.contains("412"), "\(conflict.errors)")
    }

    @Test(.enabled(if: InteropServers.fastAPI != nil, "\(InteropServers.reason)"))
    func anApplicationOfFastAPIIsDrivenByItsOwnDocument() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let added = try run("services", "import", "\(InteropServers.fastAPI ?? "")/openapi.json")
        #expect(added.status == 0, "\(added.errors)")
        let made = try run(
            "call",
            "orders",
            "add_order",
            "shop_id=7",
            "article=tea",
            "count=3",
            "tags=a,b",
            "gift=true",
            as: "t0ken"
        )
        #expect(made.status == 0, "\(made.errors)")
        let json = try JSON(parsing: made.output)
        #expect(json["order"] == ["article": "tea", "count": 3, "tags": ["a", "b"]])
        #expect(json["token"] == "t0ken")
        #expect(json["gift"] == true)
        let list = try run("call", "orders", "list_orders", "tag=a,b", "limit=5", "x-trace=t", as: nil)
        #expect(try JSON(parsing: list.output) == ["tag": ["a", "b"], "limit": 5, "trace": "t"])
    }

    @Test(.enabled(if: InteropServers.documents != nil, "\(InteropServers.reason)"))
    func documentsOfManyMakersAreReadOrTheirGapsAreNamed() throws {
        let folder = InteropServers.documents ?? ""
        var (read, refused): (Int, [String]) = (0, [])
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard [".json", ".yaml", ".yml"].contains(where: { name.hasSuffix($0) }),
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)")
            else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let document = (try? JSON(parsing: text)) ?? (try? JSON(parsingYAML: text)),
                document["openapi"].string != nil || document["swagger"].string != nil
            else { continue }
            do {
                let read = try OpenAPIDocument(document, from: "https://example.org/\(name)")
                #expect(read.service.verify().isEmpty)
                #expect(
                    !read.service.endpoints.isEmpty || !read.gaps.isEmpty || document["paths"].object?.isEmpty != false
                )
            } catch {
                refused.append("\(name): \(error)")
            }
            read += 1
        }
        #expect(read >= 30)
        #expect(refused.isEmpty, "\(refused)")
    }
}
