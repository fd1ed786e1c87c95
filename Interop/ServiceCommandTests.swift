// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

/// `cumulus call` against services that publish descriptions, and related commands.
@Suite(.enabled(if: BuiltCommand.path != nil, "\(InteropServers.reason)"))
struct ServiceCommandTests {
    private let home = NSTemporaryDirectory() + "cumulus-\(UUID().uuidString)"

    private func run(
        _ words: [String],
        as user: String? = nil,
        environment: [String: String] = [:]
    ) throws -> BuiltCommand.Outcome {
        let folders = ["XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "HOME": home]
        return try BuiltCommand.run(
            words + (user.map { ["-a", $0] } ?? []),
            environment: folders.merging(environment) { $1 }
        )
    }

    // MARK: Kinto

    private static let kinto = InteropServers.kinto ?? ""
    private static let user = "ada:love"

    /// Calls an endpoint of Kinto; returns its JSON.
    @discardableResult
    private func call(_ endpoint: String, _ items: [String]) throws -> JSON {
        let outcome = try run(["call", "kinto", endpoint] + items, as: Self.user)
        #expect(outcome.status == 0, "\(endpoint): \(outcome.errors)")
        return outcome.output.isEmpty ? .null : try JSON(parsing: outcome.output)
    }

    @Test(.enabled(if: InteropServers.kinto != nil, "\(InteropServers.reason)"))
    func kintoIsDrivenByItsOwnDocument() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let added = try run(["services", "import", "\(Self.kinto)/__api__", "--name", "kinto"])
        #expect(added.status == 0, "\(added.errors)")
        let place = ["bucket_id=shop", "collection_id=orders"]
        #expect(try run(["call", "kinto", "update_account", "id=ada", "data[password]=love"]).status == 0)
        try call("create_bucket", ["data[id]=shop"])
        try call("create_collection", [place[0], "data[id]=orders"])
        for number in 1...250 {
            try call("create_record", place + ["data[number]:=\(number)"])
        }
        try page(place)
        try change(place)
        try edit(place)
        try call("delete_bucket", ["id=shop"])
        #expect(try run(["call", "kinto", "get_bucket", "id=shop"], as: Self.user).status == 4)
    }

    /// Reads all pages: with the automatic rule for `Next-Page` fields, and with an explicit rule.
    private func page(_ place: [String]) throws {
        let list = ["call", "kinto", "get_records"] + place + ["_limit=100", "_sort=number", "--pages"]
        for rule in [[], ["--paging", "header field=Next-Page items=data"]] {
            let all = try run(list + ["all"] + rule, as: Self.user)
            #expect(all.status == 0, "\(all.errors)")
            let numbers = try all.output.split(separator: "\n").map { try JSON(parsing: String($0))["number"].int }
            #expect(numbers == Array(1...250))
        }
        let two = try run(list + ["2"], as: Self.user)
        #expect(two.output.split(separator: "\n").count == 200)
    }

    private func change(_ place: [String]) throws {
        let made = try call("create_record", place + ["data[id]=one", "data[title]=a"])
        let stamp = try #require(made["data"]["last_modified"].int)
        func update(_ title: String) throws -> BuiltCommand.Outcome {
            let items = ["id=one", "data[title]=\(title)", "If-Match=\"\(stamp)\""]
            return try run(["call", "kinto", "update_record"] + place + items, as: Self.user)
        }
        let first = try update("b")
        #expect(first.status == 0, "\(first.errors)")
        let conflict = try update("c")
        #expect(conflict.status == 4)
        #expect(conflict.errors.contains("412"), "\(conflict.errors)")
        #expect(try call("get_record", place + ["id=one"])["data"]["title"] == "b")
    }

    /// Someone else writes while the editor is open: both changes are kept.
    private func edit(_ place: [String]) throws {
        let url = "\(Self.kinto)/buckets/shop/collections/orders/records/one"
        let script = """
            #!/bin/sh
            if [ ! -e "\(home)/was-here" ]; then
                touch "\(home)/was-here"
                curl -sf -u \(Self.user) -X PATCH -H 'Content-Type: application/json' -d '{"data":{"note":"theirs"}}' \(url)
            fi
            sed -i.old 's/"title": "b"/"title": "mine"/' "$1"
            """
        try script.write(toFile: "\(home)/editor", atomically: true, encoding: .utf8)
        let edited = try run(
            ["edit", url, "--yes"],
            as: Self.user,
            environment: ["EDITOR": "/bin/sh \(home)/editor", "VISUAL": ""]
        )
        #expect(edited.status == 0, "\(edited.errors)")
        let record = try call("get_record", place + ["id=one"])["data"]
        #expect(record["title"] == "mine")
        #expect(record["note"] == "theirs")
    }

    // MARK: Others

    @Test(.enabled(if: InteropServers.fastAPI != nil, "\(InteropServers.reason)"))
    func anApplicationOfFastAPIIsDrivenByItsOwnDocument() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let added = try run(["services", "import", "\(InteropServers.fastAPI ?? "")/openapi.json"])
        #expect(added.status == 0, "\(added.errors)")
        let order = ["shop_id=7", "article=tea", "count=3", "tags=a,b", "gift=true"]
        let made = try run(["call", "orders", "add_order"] + order, as: "t0ken")
        #expect(made.status == 0, "\(made.errors)")
        let json = try JSON(parsing: made.output)
        #expect(json["order"] == ["article": "tea", "count": 3, "tags": ["a", "b"]])
        #expect(json["token"] == "t0ken")
        #expect(json["gift"] == true)
        let list = try run(["call", "orders", "list_orders", "tag=a,b", "limit=5", "x-trace=t"])
        #expect(try JSON(parsing: list.output) == ["tag": ["a", "b"], "limit": 5, "trace": "t"])
        try sendLists()
        let wrong = try run(["call", "orders", "add_order", "shop_id=seven", "article=tea"], as: "t0ken")
        #expect(wrong.status == 64 && wrong.errors.contains("whole number"), "\(wrong.errors)")
    }

    /// Lists in forms, in parts, and in a query with names that templates don't have.
    private func sendLists() throws {
        for sizes in [["sizes=1,2"], ["sizes=1", "sizes=2"], ["sizes:=[1,2]"]] {
            let form = try run(["call", "orders", "label", "name=tea", "kinds=a b", "kinds=c&d"] + sizes)
            #expect(form.status == 0, "\(form.errors)")
            let wanted: JSON = ["name": "tea", "sizes": [1, 2], "kinds": ["a b", "c&d"]]
            #expect(try JSON(parsing: form.output) == wanted)
        }
        let paths = try ["one", "three"].map { name in
            let path = "\(home)/\(name).txt"
            try name.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let files = paths.map { "photos@\($0)" }
        let parts = try run(["call", "orders", "add_photos", "tags=x", "tags=y,z", "note=n;type=a"] + files)
        #expect(parts.status == 0, "\(parts.errors)")
        let photos: JSON = [["one.txt", 3], ["three.txt", 5]]
        #expect(try JSON(parsing: parts.output) == ["photos": photos, "tags": ["x", "y", "z"], "note": "n;type=a"])
        let visits = try run(["call", "orders", "visits", "shop-id=a,b", "page[]:=[1,2]", "visitor=ada"])
        #expect(visits.status == 0, "\(visits.errors)")
        #expect(try JSON(parsing: visits.output) == ["shop": ["a", "b"], "page": [1, 2], "visitor": "ada"])
    }

    @Test(.enabled(if: InteropServers.catalog != nil, "\(InteropServers.reason)"))
    func aRegistrysCatalogComesInPagesByRelativeLinks() async throws {
        let catalog = "\(InteropServers.catalog ?? "")/v2/_catalog"
        let wanted = (1...25).map { "\"tea-\($0 < 10 ? "0" : "")\($0)\"" }
        let all = try run([catalog, "n==10", "--pages", "all"])
        #expect(all.status == 0, "\(all.errors)")
        #expect(all.output.split(separator: "\n").map(String.init) == wanted)
        let site = try InteropTransport.nio.resource(catalog)
        var pages: [Int] = []
        for try await page in site.pages(of: String.self, by: .links, query: ["n": 10]).byPage {
            pages.append(page.items.count)
        }
        #expect(pages == [10, 10, 5])
    }
}
