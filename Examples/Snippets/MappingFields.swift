// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import Foundation

// snippet.map
struct Author: Codable, Sendable {
    var name: String
    var since: Date
    var city: String?
    var tags: [Keyword]
}

struct Keyword: Codable, Sendable { var label: String }

let authorMap: FieldMap = [
    .field("name", at: "user.names[0]"),
    .field("since", at: "user.created_at", .iso8601Date),
    .optional("city", at: "user.place.town"),
    .field("tags", at: "tags", .list([.field("label", at: "text")])),
]
// snippet.end

func calls(site: Resource) async throws {
    // snippet.calls
    let authors = site["authors"]
    authors.setRules { $0.coders.register(authorMap, for: Author.self) }
    let ada = try await authors[1].get(as: Author.self)
    let all = try await authors.get(as: [Author].self)
    try await authors.post(body: ada).requireSuccess()
    // snippet.end
    _ = all
}

func direct(json: JSON) throws {
    // snippet.direct
    let ada = try authorMap.decode(Author.self, from: json)
    let data = try authorMap.encode(ada)  // {"user":{"names":["Ada"],...},"tags":[...]}
    // snippet.end
    _ = data
}

final class Contact {
    var name = ""
    var age = 0
}

func objects(json: JSON, contact: Contact) throws {
    // snippet.object
    let map: FieldMap = [.field("name", at: "n"), .field("age", at: "facts.age")]
    try map.read(json) { key, value in
        switch key {
        case "name": contact.name = value.string ?? ""
        default: contact.age = value.int ?? 0
        }
    }
    // snippet.end
}

func file() throws {
    // snippet.file
    let plist = try Data(contentsOf: URL(fileURLWithPath: "Author.plist"))
    let cents = FieldTransform(
        read: { price in
            guard let cents = price.double.flatMap({ Int(exactly: ($0 * 100).rounded()) }) else {
                throw CodingProblem("this is not a price")
            }
            return .number(JSON.Number(cents))
        },
        write: { .number(JSON.Number(Double($0.int ?? 0) / 100) ?? 0) }
    )
    let map = try FieldMap(propertyList: plist, transforms: ["CentsTransformer": cents])
    // snippet.end
    _ = map
}

func lenient() {
    // snippet.lenient
    var map = authorMap
    map.strictness = .lenient { print("omitted: \($0)") }
    // snippet.end
}
