// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Forms for `Codable` types, in both directions.
@Suite struct FormCoderTests {
    struct Order: Codable, Sendable, Equatable {
        var id: Int
        var price: Double
        var isGift: Bool
        var tags: [String]
        var counts: [Int]
        var address: Address
        var items: [Item]
        var note: String?
        var placed: Date
        struct Address: Codable, Sendable, Equatable {
            var city: String
            var zip: UInt16
        }
        struct Item: Codable, Sendable, Equatable {
            var name: String
            var amount: Int
        }
    }

    static let order = Order(
        id: -7,
        price: 1.5,
        isGift: true,
        tags: ["a&b", "ü"],
        counts: [1, 2],
        address: .init(city: "São Paulo", zip: 8001),
        items: [.init(name: "x", amount: 1), .init(name: "y", amount: 2)],
        placed: Date(timeIntervalSince1970: 1_000_000)
    )

    private func decode<Value: Decodable & Sendable>(
        _ form: String,
        as type: Value.Type,
        style: QueryStyle = QueryStyle()
    )
        async throws -> Value
    {
        let transport = StubTransport { _ in
            .response(headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8))
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.register(FormCoder(style: style), forMediaTypes: "application/x-www-form-urlencoded")
        }
        return try await site.get(as: type)
    }

    @Test func aValueGoesOutAndComesBackAsAForm() async throws {
        let transport = StubTransport {
            .response(headers: [.contentType: "application/x-www-form-urlencoded"], body: $0.body)
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.contentType = .form }
        let back = try await site.post(body: Self.order).decode(as: Order.self)
        #expect(back == Self.order)
        let sent = try #require(transport.lastRequest?.text)
        #expect(sent.contains("address%5Bcity%5D=S%C3%A3o%20Paulo"))
        #expect(sent.contains("counts%5B%5D=1&counts%5B%5D=2"))
        #expect(sent.contains("items%5B0%5D%5Bname%5D=x&items%5B0%5D%5Bamount%5D=1&items%5B1%5D%5Bname%5D=y"))
        #expect(sent.contains("placed=1970-01-12T13%3A46%3A40Z") || sent.contains("placed=1970-01-12T13:46:40Z"))
    }

    @Test(arguments: [QueryStyle.Arrays.repeated, .commas, .brackets, .indexed])
    func arraysOfAnyStyleComeBack(arrays: QueryStyle.Arrays) async throws {
        struct List: Codable, Sendable, Equatable { var n: [Int] }
        let style = QueryStyle(arrays: arrays)
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.register(FormCoder(style: style), forMediaTypes: "application/x-www-form-urlencoded")
        }
        for list in [List(n: [1, 2, 3]), List(n: [4])] {
            _ = try await site.post(.value(list, as: .form))
            let sent = try #require(transport.lastRequest?.text)
            #expect(try await decode(sent, as: List.self, style: style) == list)
        }
    }

    @Test(
        "lists of lists and of objects come back in every style",
        arguments: [
            QueryStyle.Arrays.repeated, .commas, .brackets, .indexed,
        ]
    )
    func nestedListsComeBack(arrays: QueryStyle.Arrays) async throws {
        struct Deep: Codable, Sendable, Equatable {
            var rows: [[Int]]
            var orders: [Order]
            struct Order: Codable, Sendable, Equatable {
                var isGift: Bool
                var lines: [[String: String]]
            }
        }
        let deep = Deep(
            rows: [[1, 2], [3, 4]],
            orders: [.init(isGift: true, lines: [["a": "1"], ["b": "2"]]), .init(isGift: false, lines: [["a": "3"]])]
        )
        let style = QueryStyle(arrays: arrays, booleans: .numeric)
        let sent = try FormCoder(style: style).encode(deep, as: nil)
        let text = String(decoding: sent.bytes, as: UTF8.self)
        #expect(text.contains("orders%5B0%5D%5BisGift%5D=1"), "\(text)")
        #expect(text.contains("orders%5B0%5D%5Blines%5D%5B1%5D%5Bb%5D=2"), "\(text)")
        #expect(try await decode(text, as: Deep.self, style: style) == deep)
    }

    @Test(
        "an element that a form would leave out is refused with its place, in every style",
        arguments: [
            QueryStyle.Arrays.repeated, .commas, .brackets, .indexed,
        ]
    )
    func vanishingElements(arrays: QueryStyle.Arrays) throws {
        struct Cart: Codable, Sendable {
            var items: [Item]
            struct Item: Codable, Sendable {
                var b: Int?
                var c: [String] = []
            }
        }
        struct Rows: Codable, Sendable { var rows: [[[Int]]] }
        let coder = FormCoder(style: QueryStyle(arrays: arrays))
        func problem(_ value: some Encodable & Sendable) -> String {
            do { return String(decoding: try coder.encode(value, as: nil).bytes, as: UTF8.self) } catch {
                return "\(error)"
            }
        }
        let first = problem(Cart(items: [.init(), .init(b: 2, c: ["y"])]))
        #expect(first == "a form can't contain items[0], which has no values and would be omitted")
        #expect(problem(Rows(rows: [[[1], []], [[2]]])).contains("rows[0][1]"))
        #expect(problem(Rows(rows: [[[1]], [[]]])).contains("rows[1][0]"))
        #expect(problem(Rows(rows: [[[1]], []])).contains("rows[1],"))
        #expect(problem(["a": ["b": [[String: String]()]]]).contains("a[b][0]"))
        // A member without a value is absent, as in other forms.
        #expect(problem(Cart(items: [])) == "")
        #expect(problem(Cart(items: [.init(b: 1)])) == "items%5B0%5D%5Bb%5D=1")
    }

    @Test(
        "a name that has elements and members is refused",
        arguments: ["a[]=1&a[b]=2", "a[0]=1&a[]=2", "a[][x]=1&a[y]=2"]
    )
    func elementsAndMembers(form: String) async throws {
        let error = await #expect(throws: CumulusError.self) { _ = try await decode(form, as: [String: JSON].self) }
        #expect(error?.message.contains("is used both for elements and for members") == true)
    }

    @Test func textsBecomeWhatTheTypeWants() async throws {
        struct Flags: Decodable, Sendable {
            var a: Bool
            var b: Bool
            var c: Bool?
            var n: Int?
            var text: String
            var amount: Decimal
        }
        let flags = try await decode("a=on&b=0&text=7&amount=0.10", as: Flags.self)
        #expect(flags.a && !flags.b && flags.c == nil && flags.n == nil)
        #expect(flags.text == "7")
        #expect(flags.amount == Decimal(string: "0.10"))
    }

    @Test func aTextThatIsNoNumberIsNamed() async throws {
        struct Page: Decodable, Sendable { var page: Int }
        for form in ["page=two", "page=", "page=1.5", "page=99999999999999999999", "page%5Bx%5D=1"] {
            let error = await #expect(throws: CumulusError.self) { _ = try await decode(form, as: Page.self) }
            #expect(error?.message.contains("page") == true)
        }
    }

    @Test func nestingIsReadInItsOrder() async throws {
        let json = try await decode(
            "a%5Bb%5D%5Bc%5D=1&a[b][d][]=2&a[b][d][]=3&l[0]=x&l[1]=y&o][=z&p[q=w",
            as: [String: JSON].self
        )
        #expect(json == ["a": ["b": ["c": "1", "d": ["2", "3"]]], "l": ["x", "y"], "o][": "z", "p[q": "w"])
    }

    @Test(arguments: ["a=1&a[b]=2", "a[b]=2&a=1"]) func aValueThatIsMembersTooIsRefused(form: String) async throws {
        let error = await #expect(throws: CumulusError.self) { _ = try await decode(form, as: [String: JSON].self) }
        #expect(error?.code == .decoding)
    }

    @Test func deepBracketsAreRefused() async throws {
        let name = "a" + String(repeating: "[b]", count: 10_000)
        let error = await #expect(throws: CumulusError.self) {
            _ = try await decode("\(name)=1", as: [String: JSON].self)
        }
        #expect(error?.message.contains("levels deep") == true)
    }
}
