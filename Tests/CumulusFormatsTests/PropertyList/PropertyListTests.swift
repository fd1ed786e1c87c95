// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Property lists in both formats, for types and as values, and invalid ones.
@Suite struct PropertyListTests {
    struct Settings: Codable, Sendable, Equatable {
        var name: String
        var count: Int64
        var big: UInt64
        var ratio: Double
        var isOn: Bool
        var seen: Date
        var blob: Data
        var list: [Int]
        var inner: [String: String]
    }

    static let settings = Settings(
        name: "Grüße 😀 & <",
        count: -5,
        big: .max,
        ratio: 0.25,
        isOn: true,
        seen: Date(timeIntervalSince1970: 1_700_000_000),
        blob: Data([0, 1, 254, 255]),
        list: [1, 300, 70_000, 5_000_000_000],
        inner: ["a": "b"]
    )

    static let value: PropertyList = [
        "name": .string(settings.name), "count": -5, "big": .integer(Int128(UInt64.max)), "ratio": 0.25, "isOn": true,
        "seen": .date(settings.seen), "blob": .data(settings.blob), "list": [1, 300, 70_000, 5_000_000_000],
        "inner": ["a": "b"],
    ]

    private func site(_ body: [UInt8], type: String = "application/x-plist") -> Resource {
        let transport = StubTransport { _ in .response(headers: [.contentType: type], body: body) }
        return Resource("http://a.example", transport: transport.watched) { $0.coders.registerFormats() }
    }

    @Test(arguments: [PropertyListCoder.Format.xml, .binary], ["application/x-plist", "application/xml", "text/xml"])
    func aValueGoesOutAndComesBack(format: PropertyListCoder.Format, type: String) async throws {
        let transport = StubTransport { .response(headers: [.contentType: type], body: $0.body) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.registerFormats()
            $0.coders.register(PropertyListCoder(format: format), forMediaTypes: "application/x-plist")
        }
        let response = try await site.post(.value(Self.settings, as: .propertyList))
        let sent = try #require(transport.lastRequest?.body)
        #expect(sent.starts(with: Array((format == .xml ? "<?xml" : "bplist00").utf8)))
        #expect(try response.decode(as: Settings.self) == Self.settings)
        #expect(try response.decode(as: PropertyList.self) == Self.value)
        #expect(try response.content == .propertyList(Self.value))
        let again = try await site.post(body: Self.value, as: PropertyList.self)
        #expect(again == Self.value)
    }

    @Test func whatFoundationWritesIsRead() throws {
        let object: [String: Any] = [
            "s": "x", "u": "ü", "n": 5, "d": 1.5, "b": false, "l": [1, "two"], "at": Date(timeIntervalSince1970: 10),
            "long": String(repeating: "y", count: 1000), "data": Data(repeating: 7, count: 300),
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
            let list = try PropertyList(parsing: ByteChunk(data))
            #expect(list["s"]?.string == "x" && list["u"]?.string == "ü" && list["n"]?.int == 5)
            #expect(list["d"]?.double == 1.5 && list["b"]?.bool == false && list["l"]?[1]?.string == "two")
            #expect(list["at"]?.date == Date(timeIntervalSince1970: 10))
            #expect(list["long"]?.string?.count == 1000 && list["data"]?.data?.count == 300)
            #expect(list["l"]?[2] == nil && list["none"] == nil)
        }
    }

    @Test(
        arguments: [
            "<plist/>", "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><string>a</string><true/></dict></plist>",
            "<plist><integer>x</integer></plist>", "<plist><integer>99999999999999999999</integer></plist>",
            "<plist><date>noon</date></plist>", "<plist><data>!</data></plist>", "<plist><real>x</real></plist>",
            "<plist><set/></plist>", "<plist><true/><true/></plist>", "<rss/>", "<plist>", "{ a = b; }",
        ]
    )
    func whatIsNoPropertyListIsRefused(text: String) async throws {
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site(Array(text.utf8)).get(as: [String: Int].self)
        }
        #expect(error?.code == .decoding)
    }

    @Test func XMLOfAnotherKindIsNamed() async throws {
        let site = site(Array("<rss/>".utf8), type: "application/xml")
        let error = await #expect(throws: CumulusError.self) { _ = try await site.get(as: Settings.self) }
        #expect(error?.message.contains("not a property list") == true)
        #expect(error?.message.contains("rss") == true)
    }

    @Test func aTypeThatIsNoPropertyListByItsNameIsNotSentAsOne() async throws {
        let site = site([])
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.post(.value(Self.settings, as: "application/atom+xml"))
        }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("CumulusXML") == true)
    }

    @Test func aBombOfEitherFormIsRefused() async throws {
        let deep = Array(("<plist>" + String(repeating: "<array>", count: 200_000)).utf8)
        let error = await #expect(throws: CumulusError.self) { _ = try await site(deep).get(as: [String].self) }
        #expect(error?.code == .decoding)
        let nested =
            "<plist>" + String(repeating: "<array>", count: 200) + String(repeating: "</array>", count: 200)
            + "</plist>"
        await #expect(throws: CumulusError.self) { _ = try await site(Array(nested.utf8)).get(as: PropertyList.self) }
    }

    /// A binary list of objects given as bytes, with references of one byte.
    private func binary(_ objects: [[UInt8]], root: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(objects.count), 0, 0, 0, 0, 0, 0, 0, root]
        return bytes + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
    }

    @Test func aBinaryListThatHoldsItselfIsRefused() async throws {
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site(binary([[0xA1, 0]])).get(as: PropertyList.self)
        }
        #expect(error?.message.contains("nested too deeply") == true)
    }

    @Test func aBinaryListThatGrowsOutOfProportionIsRefused() async throws {
        // Each of 12 lists contains the next ten times.
        let objects = (0..<12).map { [0xAA] + [UInt8](repeating: UInt8($0) + 1, count: 10) } + [[0x51, 0x61]]
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site(binary(objects)).get(as: PropertyList.self)
        }
        #expect(error?.message.contains("too large when expanded") == true)
    }

    @Test("a NaN date is refused, since printing it would stop the process")
    func datesAreFinite() throws {
        for seconds in [Double.nan, -.nan, .signalingNaN, .infinity, -.infinity] {
            let date = [UInt8(0x33)] + withUnsafeBytes(of: seconds.bitPattern.bigEndian) { Array($0) }
            #expect(throws: CodingProblem.self) { try PropertyList(parsing: ByteChunk(binary([date]))) }
            #expect(throws: CodingProblem.self) {
                try PropertyListCoder().decode([Date].self, from: ByteChunk(binary([[0xA1, 1], date])), of: nil)
            }
        }
        let far = [UInt8(0x33)] + withUnsafeBytes(of: Double(1e300).bitPattern.bigEndian) { Array($0) }
        #expect(try PropertyList(parsing: ByteChunk(binary([far]))).date.map { "\($0)" } != nil)
    }

    @Test("a 16-byte number that doesn't fit into 64 bits is refused, not truncated")
    func largeNumbersAreNotCut() throws {
        let zeros = [UInt8](repeating: 0, count: 8)
        let ones = [UInt8](repeating: 0xFF, count: 8)
        #expect(try PropertyList(parsing: ByteChunk(binary([[0x14] + zeros + ones]))) == .integer(Int128(UInt64.max)))
        #expect(throws: CodingProblem.self) { try PropertyList(parsing: ByteChunk(binary([[0x14] + ones + ones]))) }
    }

    @Test(
        "reals of any size are decoded into numeric types, or refused",
        arguments: [Double.nan, .infinity, -1e300, 1e19]
    )
    func realsAreHarmless(value: Double) throws {
        let real = [UInt8(0x23)] + withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
        let list = ByteChunk(binary([[0xA1, 1], real]))
        #expect(throws: (any Error).self) { try PropertyListCoder().decode([Int].self, from: list, of: nil) }
        #expect(throws: (any Error).self) { try PropertyListCoder().decode([UInt8].self, from: list, of: nil) }
        #expect(throws: (any Error).self) { try PropertyListCoder().decode([Date].self, from: list, of: nil) }
        _ = try PropertyListCoder().decode([Double].self, from: list, of: nil)
    }

    @Test func aCharacterThatXMLDoesNotHaveIsNotSent() {
        for text in ["a\0b", "\u{1B}", String(Character(Unicode.Scalar(0xFFFE) ?? "\u{1}"))] {
            #expect(throws: XML.ParsingError.self) { try PropertyListCoder().encode(["a": text], as: nil) }
            #expect(throws: XML.ParsingError.self) { try PropertyListCoder().encode([text: "a"], as: nil) }
            #expect(throws: Never.self) { try PropertyListCoder(format: .binary).encode(["a": text], as: nil) }
        }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func aListDamagedAnywhereNeverTraps(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let whole = Array(try encoder.encode(Self.settings))
        let values = [0, 1, 0x0F, 0x13, 0x7F, 0x80, 0xA1, 0xDF, 0xFF] + Array("<>&/9".utf8)
        for length in 0..<whole.count { _ = try? PropertyList(parsing: ByteChunk(Array(whole[..<length]))) }
        for place in whole.indices {
            // All values in each place, or a few by turns.
            for (number, value) in values.enumerated() where SlowTests.areWanted || (number + place) % 5 == 0 {
                var damaged = whole
                damaged[place] = value
                _ = try? PropertyListCoder().decode(Settings.self, from: ByteChunk(damaged), of: nil)
                _ = try? PropertyListCoder().decode([String: JSON].self, from: ByteChunk(damaged), of: nil)
            }
        }
        #expect(try PropertyList(parsing: ByteChunk(whole)) == Self.value)
    }

    @Test func listsOfAnySizeAreReadIntoTypes() throws {
        struct Row: Codable, Equatable {
            var id: Int
            var name: String
            var isOdd: Bool
            var weight: Double
        }
        for count in [0, 1, 14, 15, 16, 255, 256, SlowTests.rounds(2_000, of: 20_000)] {
            var rows: [Row] = []
            for number in 0..<count {
                let id = number * 65_521 - 7
                rows.append(Row(id: id, name: "ü\(number)", isOdd: number % 2 == 1, weight: Double(number) / 8))
            }
            let encoder = PropertyListEncoder()
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                encoder.outputFormat = format
                let bytes = ByteChunk(try encoder.encode(rows))
                #expect(try PropertyListCoder().decode([Row].self, from: bytes, of: nil) == rows)
            }
        }
        let texts = [String(repeating: "a", count: 70_000), String(repeating: "é", count: 70_000), ""]
        let bytes = try PropertyListCoder().encode(texts, as: nil)
        #expect(try PropertyListCoder().decode([String].self, from: bytes, of: nil) == texts)
    }

    @Test func aSingleValueIsReadToo() async throws {
        #expect(
            try await site(Array("<plist><integer>0x1F</integer></plist>".utf8), type: "text/xml").get(as: Int.self)
                == 31
        )
    }

    @Test(
        "texts come back as they were",
        arguments: [
            "a\r\nb\r", "\u{FEFF}a", "\u{FEFF}é😀", "$null", "<date>x</date>", "&#13;", " ",
            "\u{85}\u{2028}",
        ],
        [PropertyListCoder.Format.xml, .binary]
    )
    func textsSurvive(text: String, format: PropertyListCoder.Format) throws {
        let list: PropertyList = [.string(text), .dictionary([text: 1])]
        #expect(try PropertyList(parsing: PropertyListCoder(format: format).encode(list, as: nil)) == list)
    }

    @Test("what nobody could read is not written", arguments: [PropertyListCoder.Format.xml, .binary])
    func unreadableValues(format: PropertyListCoder.Format) throws {
        let coder = PropertyListCoder(format: format)
        var deep = PropertyList.array([])
        for _ in 0..<2_000 { deep = [deep] }
        #expect(throws: (any Error).self) { try coder.encode(deep, as: nil) }
        for seconds in [Double.nan, .infinity, -.infinity] {
            #expect(throws: CodingProblem.self) {
                try coder.encode([Date(timeIntervalSinceReferenceDate: seconds)], as: nil)
            }
        }
    }

    @Test("XML has dates of the years 0 to 9999", arguments: [1e15, 1e300, -1e12])
    func farDates(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(throws: CodingProblem.self) { try PropertyListCoder().encode([date], as: nil) }
        let bytes = try PropertyListCoder(format: .binary).encode([date], as: nil)
        #expect(try PropertyListCoder().decode([Date].self, from: bytes, of: nil) == [date])
    }

    @Test(
        "dates that are none are refused",
        arguments: ["2026-02-31T00:00:00Z", "2026-01-01T99:99:99Z", "2026-01-01T00:00:00Zjunk", "2026-01-01T00:00:00"]
    )
    func wrongDates(text: String) {
        #expect(throws: CodingProblem.self) {
            try PropertyList(parsing: ByteChunk("<plist><date>\(text)</date></plist>"))
        }
    }
}
