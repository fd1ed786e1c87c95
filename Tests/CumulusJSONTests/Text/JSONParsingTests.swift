// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation
import TestSupport
import Testing

/// The files of JSONTestSuite, if they are available.
private enum JSONTestSuite {
    static let folder: URL = {
        let vectors = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        return URL(fileURLWithPath: vectors).appendingPathComponent("json-test-suite/test_parsing")
    }()

    static func files(_ prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted()
    }

    static var isPresent: Bool { !files("y_").isEmpty }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

@Suite(.serialized) struct JSONParsingTests {
    @Test(
        .enabled(if: JSONTestSuite.isPresent, "needs the JSONTestSuite vectors"),
        arguments: JSONTestSuite.files("y_")
    )
    func acceptsAndRoundTrips(file: String) throws {
        let json = try JSON(parsing: JSONTestSuite.bytes(file))
        #expect(try JSON(parsing: json.encoded()) == json)
        #expect(try JSON(parsing: json.encoded(.prettyPrinted)) == json)
        #expect(try JSON(parsing: json.encoded(.sortedKeys)) == json)
    }

    @Test(
        .enabled(if: JSONTestSuite.isPresent, "needs the JSONTestSuite vectors"),
        arguments: JSONTestSuite.files("n_")
    )
    func refuses(file: String) throws {
        let bytes = try JSONTestSuite.bytes(file)
        let error = #expect(throws: JSON.ParsingError.self) { try JSON(parsing: bytes) }
        #expect((error?.offset ?? .max) <= bytes.count)
    }

    @Test(
        .enabled(if: JSONTestSuite.isPresent, "needs the JSONTestSuite vectors"),
        arguments: JSONTestSuite.files("i_")
    )
    func survives(file: String) throws {
        let bytes = try JSONTestSuite.bytes(file)
        guard let json = try? JSON(parsing: bytes) else { return }
        #expect(try JSON(parsing: json.encoded()) == json)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func refusesDeepNesting(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        for limit in [JSON.defaultMaximumDepth, .max] {
            let error = #expect(throws: JSON.ParsingError.self) { try JSON(parsing: text, maximumDepth: limit) }
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test func depthLimitIsExact() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSON(parsing: nested(512)).description == nested(512))
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: nested(513)) }
        #expect(try JSON(parsing: nested(7), maximumDepth: 7).description == nested(7))
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: nested(8), maximumDepth: 7) }
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: nested(513), maximumDepth: .max) }
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: "[]", maximumDepth: 0) }
        #expect(try JSON(parsing: "1", maximumDepth: 0) == 1)
    }

    @Test func deepestValuesFitASmallStack() throws {
        let done = Lock(false)
        let finished = DispatchSemaphore(value: 0)
        // A secondary thread on Apple's systems has 512 KiB.
        let thread = Thread {
            let text = String(repeating: "{\"a\":[", count: 256) + String(repeating: "]}", count: 256)
            guard let json = try? JSON(parsing: text) else { return }
            let copy = try? JSON(parsing: json.encoded())
            done.withLock { $0 = copy == json && copy?.hashValue == json.hashValue }
            finished.signal()
        }
        // A sanitizer's frames are several times as large.
        thread.stackSize = (512 << 10) * (isSanitized() ? 8 : 1)
        thread.start()
        #expect(finished.wait(timeout: .now() + 300) == .success)
        #expect(done.withLock { $0 })
    }

    @Test(arguments: [
        ("", JSON.ParsingError.Reason.unexpectedEnd, 0, 1, 1),
        ("  \n ", .unexpectedEnd, 4, 2, 2),
        ("[1,\n 2,,3]", .unexpectedByte, 7, 2, 4),
        ("{\"é\": tru}", .unexpectedByte, 10, 1, 10),
        ("[1] x", .trailingBytes, 4, 1, 5),
        ("[01]", .invalidNumber, 1, 1, 2),
        ("[1.x]", .invalidNumber, 3, 1, 4),
        ("\"a\nb\"", .controlCharacter, 2, 1, 3),
        ("\"ab\\x\"", .invalidEscape, 3, 1, 4),
        ("\"\\u12G4\"", .invalidEscape, 1, 1, 2),
        ("[\"\\ud800\"]", .loneSurrogate, 2, 1, 3),
        ("[\"\\ud800\\n\"]", .loneSurrogate, 2, 1, 3),
        ("[\"\\udc00\"]", .loneSurrogate, 2, 1, 3),
        ("\"\\u12", .unexpectedEnd, 5, 1, 6),
        ("[1 2]", .unexpectedByte, 3, 1, 4),
        ("{\"a\" 1}", .unexpectedByte, 5, 1, 6),
        ("{\"a\":1,}", .unexpectedByte, 7, 1, 8),
        ("[1,]", .unexpectedByte, 3, 1, 4),
        ("{1:2}", .unexpectedByte, 1, 1, 2),
        ("[1}", .unexpectedByte, 2, 1, 3),
    ])
    func tellsReasonAndPlace(text: String, reason: JSON.ParsingError.Reason, offset: Int, line: Int, column: Int) {
        let error = #expect(throws: JSON.ParsingError.self) { try JSON(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]]
    )
    func refusesBrokenUTF8(broken: [UInt8]) {
        for before in ["", "plain text before, é", "\\n"] {
            let bytes = [0x5B, 0x22] + Array(before.utf8) + broken + [0x22, 0x5D]
            let error = #expect(throws: JSON.ParsingError.self) { try JSON(parsing: bytes) }
            #expect(error?.reason == .invalidUTF8)
            #expect(error?.offset == 2 + before.utf8.count)
            let key = Array("{\"".utf8) + broken + Array("\":1}".utf8)
            #expect(throws: JSON.ParsingError.self) { try JSON(parsing: key) }
        }
    }

    @Test func ignoresAByteOrderMarkOnlyAtTheStart() throws {
        #expect(try JSON(parsing: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: [0xEF, 0xBB, 0xBF]) }
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: [0x20, 0xEF, 0xBB, 0xBF, 0x31]) }
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31]) }
    }

    @Test func escapesAreResolvedInStringsAndKeys() throws {
        let json = try JSON(parsing: #"{"a\/\u0041\"":"\b\f\n\r\t\\\/\"\u00e9\ud83d\ude00\u0000 plain tail é"}"#)
        #expect(json["a/A\""] == "\u{8}\u{c}\n\r\t\\/\"é😀\0 plain tail é")
        #expect(try JSON(parsing: json.encoded()) == json)
        let same = try JSON(parsing: #"[{"a":1},{"\u0061":2},{"a":3}]"#)
        #expect(same.description == #"[{"a":1},{"a":2},{"a":3}]"#)
    }

    static let sample =
        #"{"id":505874924095815681,"text":"é \u00e9 \ud83d\ude00 \\ 今日","n":[1,-2.5e3,true,null,{"id":1,"id":2}],"e":{}} "#

    @Test func noTruncationCrashes() throws {
        let bytes = Array(Self.sample.utf8)
        #expect(try JSON(parsing: bytes)["id"] == 505_874_924_095_815_681)
        for count in 0..<(bytes.count - 1) {
            #expect(throws: JSON.ParsingError.self) { try JSON(parsing: bytes[..<count]) }
        }
    }

    @Test func noMutationCrashes() throws {
        let bytes = Array(Self.sample.utf8)
        for place in bytes.indices {
            // Every byte, or each at every eighth place.
            let first = SlowTests.areWanted ? 0 : place % 8
            for byte in stride(from: first, to: 256, by: SlowTests.areWanted ? 1 : 8).map({ UInt8($0) }) {
                var mutated = bytes
                mutated[place] = byte
                guard let json = try? JSON(parsing: mutated) else { continue }
                #expect(try JSON(parsing: json.encoded()) == json)
            }
        }
    }

    @Test func manyDifferentObjectsAreStillFoundAndQuick() throws {
        let objects = (0..<20_000).map { "{\"x\($0)\":\($0),\"y\($0 % 40)\":1}" }
        let json = try JSON(parsing: "[\(objects.joined(separator: ","))]")
        #expect((0..<20_000).allSatisfy { (n: Int) in json[n]["x\(n)"].int == n && json[n]["y\(n % 40)"] == 1 })
    }

    @Test func readsEveryKindOfBytes() throws {
        let text = #"{"a":[1]}"#
        let expected: JSON = ["a": [1]]
        #expect(try JSON(parsing: text) == expected)
        #expect(try JSON(parsing: Substring(text)) == expected)
        #expect(try JSON(parsing: Data(text.utf8)) == expected)
        #expect(try JSON(parsing: Array(text.utf8)[...]) == expected)
        #expect(try JSON(parsing: Array(text.utf8).reversed().reversed() as [UInt8]) == expected)
        #expect(try JSON(parsing: text.utf8.lazy.map { $0 }) == expected)
        #expect(try Array(text.utf8).withUnsafeBytes { try JSON(parsing: $0) } == expected)
        #expect(throws: JSON.ParsingError.self) { try JSON(parsing: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

/// A value behind a lock, for a test's own thread.
private final class Lock<Value>: @unchecked Sendable {
    // Unchecked: `value` is only touched under `lock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<T>(_ body: (inout Value) -> T) -> T { lock.withLock { body(&value) } }
}
