// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@Suite(.serialized) struct JSONCoderTests {
    struct Post: Codable, Hashable {
        var title: String
        var tags: [String]
        var sentAt: Date?
    }

    static let post = Post(title: "a/b é", tags: ["x", "y"], sentAt: Date(timeIntervalSince1970: 60))

    @Test func strategiesApplyBothWays() throws {
        var coder = JSONCoder()
        (coder.encoding.keys, coder.encoding.dates) = (.convertToSnakeCase, .iso8601)
        (coder.decoding.keys, coder.decoding.dates) = (.convertFromSnakeCase, .iso8601)
        let bytes = try coder.encode(Self.post, as: nil)
        let json: JSON = ["title": "a/b é", "tags": ["x", "y"], "sent_at": "1970-01-01T00:01:00Z"]
        #expect(try JSON(parsing: bytes.bytes) == json)
        #expect(String(decoding: bytes.bytes, as: UTF8.self).contains("a/b"))
        #expect(try coder.decode(Post.self, from: bytes, of: .json) == Self.post)
        #expect(try coder.decode(JSON.self, from: bytes, of: .json) == json)
    }

    @Test func anErrorHasItsPath() {
        let error = #expect(throws: DecodingError.self) {
            let bytes = ByteChunk(#"{"title":"t","tags":["x",1]}"#)
            _ = try JSONCoder().decode(Post.self, from: bytes, of: .json)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("expected typeMismatch")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["tags", "Index 1"])
    }

    @Test func noTruncationIsTakenForAValue() throws {
        let coder = JSONCoder()
        let bytes = try coder.encode([Self.post, Self.post], as: nil).bytes
        for count in bytes.indices {
            #expect(throws: (any Error).self) {
                try coder.decode([Post].self, from: ByteChunk(Array(bytes[..<count])), of: .json)
            }
        }
    }

    @Test func deepNestingIsAnError() {
        struct Nest: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                if !container.isAtEnd { _ = try container.decode(Nest.self) }
            }
        }
        let text = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(throws: (any Error).self) {
            try JSONCoder().decode(Nest.self, from: ByteChunk(text), of: .json)
        }
    }

    @Test func brokenUTF8IsAnError() {
        let bytes = Array(#"{"title":""#.utf8) + [0xC3, 0x28] + Array(#"","tags":[]}"#.utf8)
        #expect(throws: (any Error).self) {
            try JSONCoder().decode(Post.self, from: ByteChunk(bytes), of: .json)
        }
    }

    @Test func anEmptyBodyIsAnError() {
        #expect(throws: CodingProblem.self) { try JSONCoder().decode(Post.self, from: .empty, of: .json) }
    }
}
