// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite struct FieldMapTests {
    private struct User: Codable, Equatable, Sendable {
        var name: String
        var since: Date
        var site: URL?
        var address: Address
        var tags: [Tag]
    }

    private struct Address: Codable, Equatable, Sendable { var city: String }
    private struct Tag: Codable, Equatable, Sendable { var label: String }

    private let map: FieldMap = [
        .field("name", at: "user.names[0]"), .field("since", at: "created_at", .iso8601Date),
        .optional("site", at: "user.url", .url),
        .field("address", at: "user.place", .object([.field("city", at: "town")])),
        .field("tags", at: "tags", .list([.field("label", at: "text")])),
    ]

    private let data: JSON = [
        "user": ["names": ["Ada"], "url": "https://a.example/", "place": ["town": "London"]],
        "created_at": "2026-11-21T10:00:00Z", "tags": [["text": "a"], ["text": "b"]],
    ]

    private let ada = User(
        name: "Ada",
        since: Date(timeIntervalSince1970: 1_795_255_200),
        site: URL(string: "https://a.example/"),
        address: Address(city: "London"),
        tags: [Tag(label: "a"), Tag(label: "b")]
    )

    @Test("fields, objects and lists, in both directions")
    func bothWays() throws {
        #expect(try map.decode(User.self, from: data) == ada)
        #expect(try map.encode(ada) == data)
        #expect(try map.encode(ada, onto: ["id": 1])["id"] == 1)
        var alone = ada
        alone.site = nil
        let written = try map.encode(alone)
        #expect(written["user"].object?["url"] == nil)
        #expect(try map.decode(User.self, from: written) == alone)
    }

    @Test("numbers as names write the arrays that they read")
    func numbersAsNames() throws {
        struct Pair: Codable, Equatable {
            var first: String
            var second: String
        }
        let map: FieldMap = [.field("second", at: "user.names.1"), .field("first", at: "user.names.0")]
        let data: JSON = ["user": ["names": ["Ada", "Lovelace"]]]
        let pair = try map.decode(Pair.self, from: data)
        #expect(pair == Pair(first: "Ada", second: "Lovelace"))
        #expect(try map.encode(pair) == data)
        // An existing object gets a member of that name, and a name that isn't a canonical index stays a name.
        #expect(
            try map.encode(pair, onto: ["user": ["names": [:]]]) == ["user": ["names": ["1": "Lovelace", "0": "Ada"]]]
        )
        let odd: FieldMap = [.field("first", at: "a.007"), .field("second", at: "b.x1")]
        #expect(try odd.encode(pair) == ["a": ["007": "Ada"], "b": ["x1": "Lovelace"]])
    }

    @Test("a type with a map, and lists of it, in calls")
    func inCalls() async throws {
        let one = data
        let transport = StubTransport { request in
            if request.method == .post {
                return .response(headers: [.contentType: "application/json"], body: request.body)
            }
            let list = JSON.object(["result": ["items": [one, one]]])
            return .json(request.path == "/list" ? list.description : one.description)
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.register(map, for: User.self)
        }
        #expect(try await site["one"].get(as: User.self) == ada)
        #expect(try await site["one"].post(body: ada, as: User.self) == ada)
        #expect(try transport.lastRequest.map { try JSON(parsing: $0.body) } == data)
        #expect(try await site["one"].post(body: [ada], as: [User].self) == [ada])
        let nested = site["list"]
        let path = try FieldPath(parsing: "result.items")
        nested.setRules { $0.coders.register(map, for: User.self, root: path) }
        #expect(try await nested.get(as: [User].self) == [ada, ada])
        #expect(try await nested.post(body: [ada], as: [User].self) == [ada])
        #expect(try transport.lastRequest.map { try JSON(parsing: $0.body) }?["result"]["items"].array?.count == 1)
    }

    @Test func aCallsErrorNamesTheField() async throws {
        let transport = StubTransport { _ in
            .json(#"[{"user":{"names":["x"],"place":{}},"created_at":"yesterday","tags":[]}]"#)
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.register(map, for: User.self)
        }
        let error = await #expect(throws: CumulusError.self) { try await site.get(as: [User].self) }
        let problem = (error?.cause as? DecodingProblem)?.cause as? FieldProblem
        #expect(error?.code == .decoding)
        #expect(problem?.kind == .transform && problem?.key == "0.since" && problem?.path == "0.created_at")
        #expect(error?.message.contains("yesterday") == false)
    }

    private static let broken: [(JSON, FieldProblem.Kind, String, String)] = [
        (["user": [:]], .missing, "name", "user.names[0]"), ([:], .missing, "name", "user.names[0]"),
        (["user": ["names": ["x"]], "created_at": 1], .transform, "since", "created_at"),
        (
            ["user": ["names": ["x"], "place": 1], "created_at": "2026-01-01T00:00:00Z"], .transform, "address",
            "user.place"
        ),
        (
            ["user": ["names": ["x"], "place": [:]], "created_at": "2026-01-01T00:00:00Z"], .missing, "address.city",
            "user.place.town"
        ),
        (
            ["user": ["names": ["x"], "url": [], "place": ["town": ""]], "created_at": "2026-01-01T00:00:00Z"],
            .transform, "site", "user.url"
        ),
        (
            [
                "user": ["names": ["x"], "place": ["town": ""]], "created_at": "2026-01-01T00:00:00Z",
                "tags": [["text": "a"], [:]],
            ], .missing, "tags.1.label", "tags.1.text"
        ),
        (
            ["user": ["names": ["x"], "place": ["town": ""]], "created_at": "2026-01-01T00:00:00Z", "tags": [1]],
            .shape, "tags.0", "tags.0"
        ),
        (
            ["user": ["names": ["x"], "place": ["town": ""]], "created_at": "2026-01-01T00:00:00Z", "tags": "x"],
            .transform, "tags", "tags"
        ),
        ("text", .shape, "", ""),
    ]

    @Test(arguments: broken)
    func problemsNameKeyAndPath(data: JSON, kind: FieldProblem.Kind, key: String, path: String) throws {
        let problem = #expect(throws: FieldProblem.self) { try map.decode(User.self, from: data) }
        #expect(problem?.kind == kind)
        #expect(problem?.key == key)
        #expect(problem?.path == path)
    }

    @Test func aLenientMapLeavesOutAndTells() throws {
        let told = Mutex<[String]>([])
        var map = map
        map.strictness = .lenient { problem in told.withLock { $0.append("\(problem.key) \(problem.kind)") } }
        let values = try map.values(from: [
            "user": ["place": [:], "url": 1], "created_at": "2026-01-01T00:00:00Z", "tags": [["text": "a"], [:], 3],
        ])
        #expect(Array(values.keys) == ["since", "address", "tags"])
        #expect(values["address"] == [:])
        #expect(values["tags"] == [["label": "a"], [:]])
        #expect(
            told.withLock { $0 }
                == ["name missing", "site transform", "address.city missing", "tags.1.label missing", "tags.2 shape"]
        )
        map.strictness = .lenient
        #expect(try map.values(from: 1).isEmpty)
    }

    @Test func anObjectOfYoursIsFilledAndAsked() throws {
        final class Person {
            var name = ""
            var age = 0
        }
        let map: FieldMap = [.field("name", at: "n"), .field("age", at: "facts.age"), .optional("none", at: "none")]
        let person = Person()
        try map.read(["n": "Ada", "facts": ["age": 36]]) { key, value in
            switch key {
            case "name": person.name = value.string ?? ""
            default: person.age = value.int ?? 0
            }
        }
        #expect(person.name == "Ada" && person.age == 36)
        let data = try map.write { key in
            switch key {
            case "name": .string(person.name)
            case "age": .number(JSON.Number(person.age))
            default: nil
            }
        }
        #expect(data == ["n": "Ada", "facts": ["age": 36]])
        struct Refused: Error {}
        let problem = #expect(throws: FieldProblem.self) { try map.read(["n": 1]) { _, _ in throw Refused() } }
        #expect(problem?.key == "name" && problem?.kind == .transform)
        let missing = #expect(throws: FieldProblem.self) { try map.write { _ in nil } }
        #expect(missing?.kind == .missing)
    }

    @Test func whatIsInTheWayIsToldWhenWriting() throws {
        let map: FieldMap = [.field("a", at: "x"), .field("b", at: "x.y")]
        let problem = #expect(throws: FieldProblem.self) { try map.data(from: JSON.Object([("a", 1), ("b", 2)])) }
        #expect(problem?.kind == .shape && problem?.path == "x.y")
    }

    @Test func nullPassesUntransformed() throws {
        let map: FieldMap = [.field("d", at: "d", .iso8601Date)]
        #expect(try map.values(from: ["d": nil])["d"] == .some(.null))
    }

    @Test(arguments: [
        ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"), ("2026-11-21T11:30:00+01:30", "2026-11-21T10:00:00Z"),
        ("2026-11-21T10:00:00.250Z", "2026-11-21T10:00:00.250Z"),
    ]) func datesGoBothWays(read: String, written: String) throws {
        struct Dated: Codable { var d: Date }
        let map: FieldMap = [.field("d", at: "d", .iso8601Date)]
        let value = try map.decode(Dated.self, from: ["d": .string(read)])
        #expect(try map.encode(value) == ["d": .string(written)])
    }

    @Test(arguments: ["99999999999999999999-01-01T00:00:00Z", "2026-02-31T00:00:00Z", "2026-11-21", "", "10:00"])
    func whatIsNoISODateIsRefused(text: String) {
        let map: FieldMap = [.field("d", at: "d", .iso8601Date)]
        let problem = #expect(throws: FieldProblem.self) { try map.values(from: ["d": .string(text)]) }
        #expect(problem?.kind == .transform)
    }

    @Test(arguments: [1e300, -1e300, 1e12]) func aDateThatCannotBeWrittenIsRefused(seconds: Double) {
        struct Dated: Codable { var d: Date }
        let map: FieldMap = [.field("d", at: "d", .iso8601Date)]
        let value = Dated(d: Date(timeIntervalSince1970: seconds))
        let problem = #expect(throws: FieldProblem.self) { try map.encode(value) }
        #expect(problem?.kind == .transform)
    }

    @Test func secondsGoBothWays() throws {
        struct Dated: Codable { var d: Date }
        let map: FieldMap = [.field("d", at: "d", .secondsSince1970)]
        for seconds: JSON in [0, 1_795_255_200, 0.5] {
            let value = try map.decode(Dated.self, from: ["d": seconds])
            #expect(try map.encode(value) == ["d": seconds])
        }
    }

    @Test func aTransformOfYourOwn() throws {
        let cents = FieldTransform(
            read: { .number(JSON.Number(Int(($0.double ?? 0) * 100))) },
            write: { .number(JSON.Number(Double($0.int ?? 0) / 100) ?? 0) }
        )
        let map: FieldMap = [.field("cents", at: "price", cents)]
        #expect(try map.values(from: ["price": 1.5])["cents"] == 150)
        #expect(try map.data(from: JSON.Object([("cents", 150)])) == ["price": 1.5])
    }

    @Test(
        arguments: [
            ("a.b", JSON(1)), ("l[1]", 3), ("l.0", 2), ("o.0", 9), ("a\\.b", 7), ("", nil), ("a[b", nil), ("x", nil),
            ("l[9]", nil), ("a.b.c", nil), ("l[0][0]", nil),
        ] as [(String, JSON?)]
    )
    func pathsAreFollowed(path: String, expected: JSON?) throws {
        let data: JSON = ["a": ["b": 1], "l": [2, 3], "o": ["0": 9], "a.b": 7]
        let map = FieldMap([.optional("v", at: path)])
        #expect(try map.values(from: data)["v"] == (path.isEmpty ? data : expected))
    }

    private static let description: JSON = [
        "Items": [
            ["Key": "name", "Path": "user.names[0]"],
            ["Key": "since", "Path": "created_at", "Transformer": "ISO8601DateTransformer"],
            ["Key": "site", "Path": "user.url", "Transformer": "URLTransformer", "Optional": true],
            ["Key": "address", "Path": "user.place", "Transformer": "AddressTransformer"],
            ["Key": "tags", "Transformer": "ObjectListTransformer", "Items": [["Key": "label", "Path": "text"]]],
        ]
    ]

    @Test func aMapIsReadFromAPropertyListAndFromJSON() throws {
        let transforms = ["AddressTransformer": FieldTransform.object([.field("city", at: "town")])]
        let fromJSON = try FieldMap(description: Self.description, transforms: transforms)
        #expect(try fromJSON.decode(User.self, from: data) == ada)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let bytes = try encoder.encode(Self.description)
            let map = try FieldMap(propertyList: bytes, transforms: transforms)
            #expect(try map.decode(User.self, from: data) == ada)
            #expect(try map.encode(ada) == data)
        }
    }

    @Test(
        arguments: [
            [:], ["Items": [["Path": "x"]]], ["Items": [["Key": "a", "Transformer": "Nothing"]]],
            ["Items": [["Key": "a", "Transformer": "ObjectTransformer"]]], ["Items": 1], [],
        ] as [JSON]
    ) func aDescriptionThatIsNoneIsRefused(json: JSON) {
        let problem = #expect(throws: FieldProblem.self) { try FieldMap(description: json) }
        #expect(problem?.kind == .mapDescription)
        #expect(throws: FieldProblem.self) { try FieldMap(propertyList: Data("x".utf8)) }
    }
}
