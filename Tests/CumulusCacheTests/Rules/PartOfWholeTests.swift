// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9110 sections 13.1.5 and 14, RFC 9111 section 3.3: parts out of a stored whole.
@Suite struct PartOfWholeTests {
    private func part(_ pairs: [(String, String)], _ own: [(String, String)] = [], length: Int64? = 10) -> PartOfWhole {
        PartOfWhole(Stored.fields(pairs), of: Stored.response(own), length: length)
    }

    @Test(
        arguments: [
            ("bytes=0-4", .part(0..<5)), ("bytes=2-", .part(2..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=0-99", .part(0..<10)), ("bytes=-99", .part(0..<10)), ("Bytes = 9-9", .part(9..<10)),
            ("bytes=10-", .unsatisfiable), ("bytes=10-20", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=0-1,3-4", .unknown), ("bytes=4-2", .unknown), ("bytes=a-b", .unknown), ("bytes=-", .unknown),
            ("items=0-4", .unknown), ("bytes", .unknown), ("bytes=99999999999999999999-", .unknown),
        ] as [(String, PartOfWhole)]
    ) func oneRangeIsTakenFromTheWhole(_ range: String, _ expected: PartOfWhole) {
        #expect(part([("Range", range)]) == expected)
    }

    @Test func codedAndGrowingBodiesHaveNoParts() {
        #expect(part([("Range", "bytes=0-4")], [("Content-Encoding", "gzip")]) == .unknown)
        #expect(part([("Range", "bytes=0-4")], length: nil) == .unknown)
        #expect(part([]) == .whole && part([("Range", "bytes=0-")], length: 0) == .unsatisfiable)
    }

    @Test func ifRangeNamesTheVeryBytes() {
        func asked(_ condition: String, _ own: [(String, String)]) -> PartOfWhole {
            part([("Range", "bytes=0-4"), ("If-Range", condition)], own)
        }
        #expect(asked("\"a\"", [("ETag", "\"a\"")]) == .part(0..<5))
        #expect(asked("\"b\"", [("ETag", "\"a\"")]) == .whole && asked("W/\"a\"", [("ETag", "W/\"a\"")]) == .whole)
        #expect(asked(Stored.date(-9), [("Last-Modified", Stored.date(-9))]) == .part(0..<5))
        #expect(asked(Stored.date(0), [("Last-Modified", Stored.date(0))]) == .whole)
        #expect(asked(Stored.date(-8), [("Last-Modified", Stored.date(-9))]) == .whole)
    }
}
