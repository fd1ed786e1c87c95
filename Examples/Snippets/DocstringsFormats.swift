// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats

/// The samples in docstrings of formats and templates.
enum DocstringsFormats {
    static func json(bytes: [UInt8]) throws {
        // snippet.json
        let json = try JSON(parsing: bytes)
        let name = json["user"]["name"].string
        let draft: JSON = ["title": "Clouds", "tags": ["sky", "weather"], "public": true]
        // snippet.end
        print(name ?? "", draft)
    }

    static func template() throws {
        // snippet.template
        let template = try URITemplate(parsing: "users/{login}/repos{?type,page}")
        print(try template.expand(["login": "weipin", "page": 2]))  // users/weipin/repos?page=2
        // snippet.end
    }

    static func fieldMap(site: Resource, json: JSON) throws {
        // snippet.field-map
        let map: FieldMap = [
            .field("name", at: "user.name"),
            .field("since", at: "user.created_at", .iso8601Date),
            .field("tags", at: "tags", .list([.field("label", at: "text")])),
        ]
        let user = try map.decode(User.self, from: json)
        site.setRules { $0.coders.register(map, for: User.self) }
        // snippet.end
        print(user.login)
    }

    static func propertyList(site: Resource) async throws {
        // snippet.property-list
        let list = try await site["settings.plist"].get(as: PropertyList.self)
        let name = list["user"]?["name"]?.string
        // snippet.end
        print(name ?? "")
    }

    static func xml(bytes: [UInt8]) throws {
        // snippet.xml
        let feed = try XML(parsing: bytes)
        let title = feed["channel"]?["title"]?.text
        let links = feed.elements("link").map { $0[attribute: "href"] }
        // snippet.end
        print(title ?? "", links)
    }

    static func xmlBuilder(lines: [String]) -> XML {
        // snippet.xml-builder
        let order = XML("order", attributes: ["id": "7"]) {
            XML("note") { "as soon as possible" }
            for line in lines { XML("line", text: line) }
        }
        // snippet.end
        return order
    }
}
