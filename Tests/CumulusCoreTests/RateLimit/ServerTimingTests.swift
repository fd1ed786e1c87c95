// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The waits in servers' responses, in all forms of the field; malformed ones are ignored.
@Suite struct ServerTimingTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private static func wait(_ fields: Headers, status: Int = 503) throws -> (Duration, String)? {
        ServerTiming(try fields.fields(), status: .init(code: status), now: now).map { ($0.wait, $0.field) }
    }

    @Test(
        "Retry-After in seconds",
        arguments: [
            ("1", 1), ("120", 120), ("0.5", 0.5), ("007", 7), ("0", nil), ("-5", nil), ("+5", nil), ("5s", 5),
            ("1m30s", 90), ("2, 2", 2), ("2,x, 3.5", 3.5), ("", nil),
            ("1e3", nil), ("5.", nil), (".5", nil), ("1.2.3", nil), ("soon", nil), ("٥", nil), ("0x10", nil),
            ("99999999999999999999999999", 31_536_000), ("NaN", nil), ("inf", nil), ("1_000", nil),
        ] as [(String, Double?)]
    )
    func seconds(text: String, expected: Double?) throws {
        #expect(try Self.wait([.retryAfter: text])?.0 == expected.map { .seconds($0) })
    }

    @Test(
        "Retry-After as a date in any format",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:00:00 GMT", nil),
            ("Thu, 01 Jan 1970 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:50:37", nil),
            ("06 Nov 1994 08:50:37 GMT", nil),
            ("1994-11-06T08:50:37Z", 60),
            ("Sun, 06 Nov 1994 08:50:37 +0000", 60), ("Sun, 06 Nov 1994 08:50:37 UTC", 60),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000),
        ] as [(String, Int64?)]
    )
    func dates(text: String, expected: Int64?) throws {
        #expect(try Self.wait([.retryAfter: text])?.0 == expected.map { .seconds($0) })
    }

    @Test("a date is relative to the server's own clock, if it is known")
    func skew() throws {
        let fields: Headers = [.retryAfter: "Sun, 06 Nov 1994 12:00:30 GMT", .date: "Sun, 06 Nov 1994 12:00:00 GMT"]
        #expect(try Self.wait(fields)?.0 == .seconds(30))
        let garbled: Headers = [.retryAfter: "Sun, 06 Nov 1994 08:50:37 GMT", .date: "today"]
        #expect(try Self.wait(garbled)?.0 == .seconds(60))
    }

    @Test("milliseconds precede seconds, Retry-After precedes limits, and the longest of several counts")
    func order() throws {
        #expect(try Self.wait(["Retry-After-Ms": "1500", .retryAfter: "9"])?.0 == .milliseconds(1_500))
        #expect(try Self.wait(["Retry-After-Ms": "x", .retryAfter: "9"])?.0 == .seconds(9))
        #expect(try Self.wait(["RateLimit": "\"a\";r=0;t=30", .retryAfter: "9"])?.1 == "Retry-After")
        var several = try ([.retryAfter: "3"] as Headers).fields()
        several.append(HTTPField(name: .retryAfter, value: "7"))
        several.append(HTTPField(name: .retryAfter, value: "bogus"))
        #expect(ServerTiming(several, status: .serviceUnavailable, now: Self.now)?.wait == .seconds(7))
    }

    @Test(
        "the reset of a limit that is used up",
        arguments: [
            (["RateLimit": "\"default\";r=0;t=30"], 30), (["RateLimit": "\"default\";r=5;t=30"], nil),
            (["RateLimit": "\"a\";r=0;t=30, \"b\";r=0;t=45, \"c\";r=1;t=99"], 45), (["RateLimit": "\"a,;r=0\";t=8"], 8),
            (["RateLimit": "limit=100, remaining=0, reset=12"], 12),
            (["RateLimit": "limit=100, remaining=3, reset=12"], nil),
            (["RateLimit": "\"a\";r=0;t=-1"], nil), (["RateLimit": "\"a\";r=0;t=99999999999999999999"], nil),
            (["RateLimit": "\"a"], nil), (["RateLimit": ";;;,,,="], nil), (["RateLimit-Reset": "20"], 20),
            (["RateLimit-Reset": "20", "RateLimit-Remaining": "4"], nil), (["X-RateLimit-Reset": "15"], 15),
            (["X-RateLimit-Reset": "784111800"], 23), (["X-RateLimit-Reset": "784111800000"], 23),
            (["X-Rate-Limit-Reset": "Sun, 06 Nov 1994 08:50:37 GMT"], 60), (["X-RateLimit-Reset": "784111000"], nil),
            (["RateLimit": "\"a\";r=0;t=5;qu=\"content-bytes\""], 5),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3s"], 3),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1994-11-06T08:50:37Z"], 60),
            (["X-RateLimit-Remaining": "4, 0", "X-RateLimit-Reset": "9, 30"], 30),
            (["X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "6m0s"], 360),
            (
                [
                    "X-RateLimit-Remaining-Requests": "9", "X-RateLimit-Reset-Requests": "60s",
                    "X-RateLimit-Remaining-Tokens": "0", "X-RateLimit-Reset-Tokens": "2s",
                ], 2
            ),
            (
                [
                    "Anthropic-RateLimit-Requests-Remaining": "0",
                    "Anthropic-RateLimit-Requests-Reset": "1994-11-06T08:49:57Z",
                ], 20
            ),
            (
                [
                    "Anthropic-RateLimit-Input-Tokens-Remaining": "0",
                    "Anthropic-RateLimit-Input-Tokens-Reset": "1994-11-06T08:49:47Z",
                ], 10
            ),
            (["Backoff": "11"], 11), (["Backoff": "later"], nil),
        ] as [(Headers, Int64?)]
    )
    func limits(fields: Headers, expected: Int64?) throws {
        #expect(try Self.wait(fields)?.0 == expected.map { .seconds($0) })
        #expect(try Self.wait(fields, status: 429)?.0 == expected.map { .seconds($0) })
        // For other failures it is no reason.
        #expect(try Self.wait(fields, status: 500) == nil)
    }

    @Test(
        "what the rate limit tells of a used-up quota, the retry waits for",
        arguments: [
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3s"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "784111800"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5", "X-RateLimit-Reset": "9"],
            ["X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "120ms"],
            ["RateLimit": "\"a\";r=0;t=30, \"b\";r=3;t=9"], ["Retry-After": "2s"], ["Retry-After": "1, 4"],
        ] as [Headers]
    )
    func oneReader(fields: Headers) throws {
        let fields = try fields.fields()
        for status in [429, 403].map({ HTTPResponse.Status(code: $0) }) {
            let quota = try #require(RequestQuota(fields, status: status, at: Self.now))
            #expect(ServerTiming(fields, status: status, now: Self.now)?.wait == quota.wait)
        }
    }

    @Test("403 is a limit only with Retry-After, or if the server says that nothing is left")
    func forbidden() throws {
        #expect(try Self.wait([.retryAfter: "5"], status: 403)?.0 == .seconds(5))
        #expect(try Self.wait(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "7"], status: 403)?.0 == .seconds(7))
        #expect(try Self.wait(["RateLimit": "\"a\";r=0;t=8"], status: 403)?.0 == .seconds(8))
        for fields in [
            ["X-RateLimit-Remaining": "4290", "X-RateLimit-Reset": "7"], ["X-RateLimit-Reset": "7"],
            ["RateLimit": "\"a\";t=8"], ["Backoff": "9"], [:],
        ] as [Headers] {
            #expect(try Self.wait(fields, status: 403) == nil)
        }
    }

    @Test("no bytes from a peer break it")
    func hostile() throws {
        var numbers = SeededNumbers(17)
        let bytes = Array("\";,=rt0123456789 \\\t.-".utf8)
        for _ in 0..<SlowTests.rounds(1_000, of: 3_000) {
            let text = String(
                decoding: (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                    bytes.randomElement(using: &numbers) ?? 0x20
                },
                as: UTF8.self
            )
            var fields = HTTPFields()
            for name in ["Retry-After", "RateLimit", "X-RateLimit-Reset", "Backoff", "Retry-After-Ms"] {
                if let name = HTTPField.Name(name) { fields[name] = text }
            }
            let timing = ServerTiming(fields, status: .tooManyRequests, now: Self.now)
            #expect(timing.map { .zero < $0.wait && $0.wait <= .seconds(31_536_000) } ?? true)
        }
    }
}
