// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// What each answer to a request for a range means.
@Suite(.serialized) struct RangeCheckTests {
    private static let tagged = RemoteState(entityTag: "\"v1\"", length: 1000)
    private static let dated = RemoteState(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", length: 1000)

    private static let both = RemoteState(
        entityTag: "\"v1\"",
        lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
        length: 1000
    )
    private static let unsafe = {
        var state = tagged
        state.date = "Sun, 06 Nov 1994 08:49:37 GMT"
        return state
    }()

    private static let date: HTTPFields = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var known: RemoteState? = RangeCheckTests.tagged
        var start: Int64 = 400
        var end: Int64?
        var isConditional = true
        var isCovered = false
        var status = 206
        var headers: HTTPFields = [:]
        var announced: Int64? = 600
        let expected: String

        var testDescription: String { name }
    }

    private static func fields(_ range: String?, tag: String? = "\"v1\"", _ more: HTTPFields = [:]) -> HTTPFields {
        var fields = more
        fields[.contentRange] = range
        fields[.eTag] = tag
        return fields
    }

    static let rows: [Row] = [
        Row(name: "the rest", headers: fields("bytes 400-999/1000"), expected: "part"),
        Row(name: "the rest without a tag", headers: fields("bytes 400-999/1000", tag: nil), expected: "changed"),
        Row(
            name: "the rest without a tag, of a newer date",
            headers: fields("bytes 400-999/1000", tag: nil, [.lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"]),
            expected: "changed"
        ),
        Row(
            name: "the rest without a tag, where a digest will tell",
            isCovered: true,
            headers: fields("bytes 400-999/1000", tag: nil),
            expected: "part"
        ),
        Row(
            name: "another tag, where a digest will tell",
            isCovered: true,
            headers: fields("bytes 400-999/1000", tag: "\"v2\""),
            expected: "changed"
        ),
        Row(name: "the same tag and no date", known: both, headers: fields("bytes 400-999/1000"), expected: "part"),
        Row(
            name: "the same tag and another date",
            known: both,
            headers: fields("bytes 400-999/1000", [.lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"]),
            expected: "changed"
        ),
        Row(
            name: "the same tag and another date than one that was not safe",
            known: unsafe,
            headers: fields("bytes 400-999/1000", [.lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"]),
            expected: "changed"
        ),
        Row(
            name: "the same date",
            known: dated,
            headers: fields("bytes 400-999/1000", tag: nil, [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]),
            expected: "part"
        ),
        Row(
            name: "the same date beside a weak tag, which is no condition",
            known: RemoteState(
                [
                    .eTag: "W/\"v1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                    .date: "Sun, 06 Nov 1994 09:49:37 GMT",
                ],
                length: 1000
            ),
            headers: fields("bytes 400-999/1000", tag: "W/\"v1\"", date),
            expected: "changed"
        ),
        Row(
            name: "the same weak tag alone, which proves nothing",
            known: RemoteState([.eTag: "W/\"v1\""], length: 1000),
            headers: fields("bytes 400-999/1000", tag: "W/\"v1\""),
            expected: "changed"
        ),
        Row(name: "a total that is not told", headers: fields("bytes 400-999/*"), expected: "part"),
        Row(name: "a body of unknown length", headers: fields("bytes 400-999/1000"), announced: nil, expected: "part"),
        Row(name: "a beginning of the rest", headers: fields("bytes 400-499/1000"), announced: 100, expected: "part"),
        Row(
            name: "a forged part, too short",
            headers: fields("bytes 400-999/1000"),
            announced: 599,
            expected: "unreliable"
        ),
        Row(
            name: "a forged part, too long",
            headers: fields("bytes 400-999/1000"),
            announced: 601,
            expected: "unreliable"
        ),
        Row(name: "from elsewhere", headers: fields("bytes 0-999/1000"), announced: 1000, expected: "unreliable"),
        Row(name: "beyond the end wanted", end: 500, headers: fields("bytes 400-999/1000"), expected: "unreliable"),
        Row(name: "another total", headers: fields("bytes 400-1000/1001"), announced: 601, expected: "changed"),
        Row(name: "another tag", headers: fields("bytes 400-999/1000", tag: "\"v2\""), expected: "changed"),
        Row(name: "a weak tag", headers: fields("bytes 400-999/1000", tag: "W/\"v1\""), expected: "changed"),
        Row(
            name: "another date",
            known: dated,
            headers: fields("bytes 400-999/1000", tag: nil, [.lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"]),
            expected: "changed"
        ),
        Row(name: "no date to compare", known: dated, headers: fields("bytes 400-999/1000"), expected: "changed"),
        Row(
            name: "without If-Range and without a tag",
            isConditional: false,
            headers: fields("bytes 400-999/1000", tag: nil),
            expected: "changed"
        ),
        Row(name: "without If-Range", isConditional: false, headers: fields("bytes 400-999/1000"), expected: "part"),
        Row(name: "no Content-Range", headers: fields(nil), expected: "unreliable"),
        Row(name: "a malformed Content-Range", headers: fields("bytes 999-400/1000"), expected: "unreliable"),
        Row(name: "another unit", headers: fields("lines 400-999/1000"), expected: "unreliable"),
        Row(
            name: "several ranges",
            headers: fields("bytes 400-999/1000", tag: nil, [.contentType: "multipart/byteranges; boundary=x"]),
            expected: "unreliable"
        ),
        Row(
            name: "a coded part",
            headers: fields("bytes 400-999/1000", tag: nil, [.contentEncoding: "gzip"]),
            expected: "unreliable"
        ),
        Row(name: "the whole", status: 200, headers: fields(nil), announced: 1000, expected: "whole"),
        Row(name: "the whole, transformed", status: 203, headers: fields(nil), announced: 1000, expected: "whole"),
        Row(name: "the same tag with another length", status: 200, headers: fields(nil), expected: "unreliable"),
        Row(name: "the same tag with another length", status: 203, headers: fields(nil), expected: "unreliable"),
        Row(
            name: "the same tag with another length, as its whole range",
            status: 200,
            headers: fields("bytes 0-599/600"),
            expected: "unreliable"
        ),
        Row(
            name: "the same tag of an unknown length",
            status: 200,
            headers: fields(nil),
            announced: nil,
            expected: "whole"
        ),
        Row(
            name: "another tag with another length",
            status: 200,
            headers: fields(nil, tag: "\"v2\""),
            expected: "whole"
        ),
        Row(
            name: "the same date with another length",
            known: dated,
            status: 200,
            headers: fields(nil, tag: nil, date),
            expected: "unreliable"
        ),
        Row(name: "another success", status: 204, headers: fields(nil), expected: "failed"),
        Row(name: "a success that is not yet one", status: 202, headers: fields(nil), announced: 9, expected: "failed"),
        Row(
            name: "another success for a range at first",
            known: nil,
            status: 204,
            headers: fields(nil),
            expected: "failed"
        ),
        Row(name: "the part, with status 200", status: 200, headers: fields("bytes 400-999/1000"), expected: "part"),
        Row(
            name: "the part at first, with status 200",
            known: nil,
            status: 200,
            headers: fields("bytes 400-999/1000"),
            expected: "part"
        ),
        Row(
            name: "the part of another state, with status 200",
            status: 200,
            headers: fields("bytes 400-999/1000", tag: "\"v2\""),
            expected: "changed"
        ),
        Row(
            name: "another part, with status 200",
            status: 200,
            headers: fields("bytes 300-899/1000"),
            expected: "unreliable"
        ),
        Row(
            name: "the part of another length, with status 200",
            status: 200,
            headers: fields("bytes 400-999/1000"),
            announced: 1000,
            expected: "unreliable"
        ),
        Row(
            name: "no valid part, with status 200",
            status: 200,
            headers: fields("bytes */1000"),
            expected: "unreliable"
        ),
        Row(name: "the part, transformed", status: 203, headers: fields("bytes 400-999/1000"), expected: "unreliable"),
        Row(
            name: "the part of something new",
            status: 201,
            headers: fields("bytes 400-999/1000"),
            expected: "unreliable"
        ),
        Row(
            name: "the whole, with its range",
            status: 200,
            headers: fields("bytes 0-999/1000"),
            announced: 1000,
            expected: "whole"
        ),
        Row(name: "nothing more", start: 1000, status: 416, headers: fields("bytes */1000"), expected: "complete"),
        Row(
            name: "416 of an unknown length's end, unproved",
            known: RemoteState(entityTag: "\"v1\""),
            start: 1000,
            status: 416,
            headers: fields("bytes */1000", tag: nil),
            expected: "changed"
        ),
        Row(
            name: "416 of an unknown length's end, of the same tag",
            known: RemoteState(entityTag: "\"v1\""),
            start: 1000,
            status: 416,
            headers: fields("bytes */1000"),
            expected: "complete"
        ),
        Row(
            name: "416 of the known length, without a tag",
            start: 1000,
            status: 416,
            headers: fields("bytes */1000", tag: nil),
            expected: "complete"
        ),
        Row(name: "shorter than what is here", status: 416, headers: fields("bytes */300"), expected: "changed"),
        Row(name: "416 without a total", start: 1000, status: 416, expected: "changed"),
        Row(
            name: "416 of another state",
            start: 1000,
            status: 416,
            headers: fields("bytes */1000", tag: "\"v2\""),
            expected: "changed"
        ),
        Row(name: "416 for a range of anything", known: nil, status: 416, expected: "failed"),
        Row(name: "a failed precondition", status: 412, expected: "changed"),
        Row(name: "an error", status: 503, expected: "failed"),
        Row(name: "not modified", status: 304, expected: "failed"),
    ]

    @Test("the answers to a resumed request", arguments: rows)
    func judges(row: Row) {
        let rangeRequest = RangeRequest(
            start: row.start,
            end: row.end,
            isRanged: true,
            known: row.known,
            isConditional: row.isConditional,
            isCovered: row.isCovered
        )
        let status = HTTPResponse.Status(code: row.status)
        let verdict = RangeCheck(rangeRequest, status, row.headers, announced: row.announced)
        #expect("\(verdict)".hasPrefix(row.expected), "\(verdict)")
    }

    @Test func aPartThatNobodyAskedForIsRefused() {
        let verdict = RangeCheck(.whole, .partialContent, RangeCheckTests.fields("bytes 0-9/10"), announced: 10)
        #expect("\(verdict)".hasPrefix("unreliable"))
        let okay = RangeCheck(.whole, .ok, RangeCheckTests.fields("bytes 0-9/20"), announced: 10)
        #expect("\(okay)".hasPrefix("unreliable"))
    }

    @Test("any success is the whole for a download that has received nothing", arguments: [201, 204, 207])
    func firstSuccess(code: Int) {
        let status = HTTPResponse.Status(code: code)
        #expect(RangeCheck(.whole, status, [:], announced: 3) == .whole(length: 3))
        var later = RangeRequest.whole
        later.isContinued = true
        #expect(RangeCheck(later, status, [:], announced: 3) == .failed)
    }

    @Test(
        "Only strong tags and safe dates make a state that can be resumed",
        arguments: [
            ("\"a\"", nil, nil, "\"a\""),
            ("\"\"", nil, nil, nil),
            ("W/\"a\"", nil, nil, nil),
            ("a", nil, nil, nil),
            ("\"a\"b\"", nil, nil, nil),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", nil),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", nil, nil),
            (nil, "yesterday", "Sun, 06 Nov 1994 08:49:38 GMT", nil),
        ] as [(String?, String?, String?, String?)]
    )
    func validators(tag: String?, modified: String?, date: String?, condition: String?) {
        var headers: HTTPFields = [:]
        headers[.eTag] = tag
        headers[.lastModified] = modified
        headers[.date] = date
        #expect(RemoteState(headers, length: nil).condition == condition)
        headers[.contentEncoding] = "gzip"
        // Its requests accept the same coding only.
        let coded = RemoteState(headers, length: nil)
        #expect(coded.condition == condition && coded.codings == ["gzip"])
    }
}
