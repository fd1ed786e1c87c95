// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import CumulusCore

/// Servers' quotas, in all dialects; malformed ones are ignored.
@Suite struct RequestQuotaTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private static func quota(_ fields: Headers, status: Int = 200) throws -> RequestQuota? {
        RequestQuota(try fields.fields(), status: .init(code: status), at: now)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let fields: Headers
        var limit: Int64?
        var remaining: Int64?
        var reset: Double?
        var testDescription: String { "\(fields)" }
    }

    static let cases: [Case] = [
        Case(fields: ["RateLimit": "\"default\";r=50;t=30"], remaining: 50, reset: 30),
        Case(fields: ["RateLimit": "\"a\";r=50"], remaining: 50),
        Case(
            fields: ["RateLimit": "\"a\";r=50;t=30", "RateLimit-Policy": "\"b\";q=7;w=1, \"a\";q=100;w=60"],
            limit: 100,
            remaining: 50,
            reset: 30
        ),
        Case(fields: ["RateLimit": "\"a\";r=9;t=1, \"b\";r=0;t=60, \"c\";r=0;t=5"], remaining: 0, reset: 60),
        Case(
            fields: [
                "RateLimit": "\"a\";r=1;t=1, \"b\";r=5;t=2", "RateLimit-Policy": "\"a\";q=9;qu=\"content-bytes\"",
            ],
            remaining: 5,
            reset: 2
        ),
        Case(fields: ["RateLimit": "limit=100, remaining=50, reset=30"], limit: 100, remaining: 50, reset: 30),
        Case(
            fields: ["RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "50", "RateLimit-Reset": "30"],
            limit: 100,
            remaining: 50,
            reset: 30
        ),
        Case(
            fields: ["RateLimit-Limit": "100;w=21600", "RateLimit-Remaining": "76;w=21600"],
            limit: 100,
            remaining: 76
        ),
        // GitHub counts from 1970, in the server's own time.
        Case(
            fields: [
                "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4999", "X-RateLimit-Reset": "784112377",
                "X-RateLimit-Used": "1", "X-RateLimit-Resource": "core",
            ],
            limit: 5_000,
            remaining: 4_999,
            reset: 600
        ),
        Case(
            fields: [
                "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "784112377", "Date": "Sun, 06 Nov 1994 08:59:27 GMT",
            ],
            remaining: 1,
            reset: 10
        ),
        Case(fields: ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "784111787000"], remaining: 1, reset: 10),
        Case(
            fields: ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "Sun, 06 Nov 1994 08:49:47 GMT"],
            remaining: 1,
            reset: 10
        ),
        // Discord, with milliseconds.
        Case(
            fields: [
                "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "784112377.5",
                "X-RateLimit-Reset-After": "1.25", "X-RateLimit-Bucket": "abcd1234",
            ],
            limit: 5,
            remaining: 0,
            reset: 1.25
        ),
        Case(
            fields: ["x-rate-limit-limit": "900", "x-rate-limit-remaining": "899", "x-rate-limit-reset": "784111837"],
            limit: 900,
            remaining: 899,
            reset: 60
        ),
        Case(
            fields: [
                "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-requests": "6m0.5s",
            ],
            limit: 60,
            remaining: 59,
            reset: 360.5
        ),
        Case(
            fields: [
                "anthropic-ratelimit-requests-limit": "50", "anthropic-ratelimit-requests-remaining": "49",
                "anthropic-ratelimit-requests-reset": "1994-11-06T08:50:37Z",
            ],
            limit: 50,
            remaining: 49,
            reset: 60
        ),
        Case(
            fields: ["X-HubSpot-RateLimit-Max": "110", "X-HubSpot-RateLimit-Remaining": "9"],
            limit: 110,
            remaining: 9
        ),
        Case(fields: ["X-Shopify-Shop-Api-Call-Limit": "32/40"], limit: 40, remaining: 8),
        Case(fields: ["X-Shopify-Shop-Api-Call-Limit": "41/40"], limit: 40, remaining: 0),
        Case(fields: ["x-ms-ratelimit-remaining-subscription-reads": "11999"], remaining: 11_999),
        // Reddit, and lists of several windows.
        Case(fields: ["X-Ratelimit-Remaining": "99.0", "X-Ratelimit-Reset": "320"], remaining: 99, reset: 320),
        Case(
            fields: [
                "X-RateLimit-Limit": "1, 15000", "X-RateLimit-Remaining": "1, 0", "X-RateLimit-Reset": "1, 86400",
            ],
            limit: 15_000,
            remaining: 0,
            reset: 86_400
        ),
        // The standard takes precedence over services' own fields.
        Case(
            fields: ["X-RateLimit-Remaining": "1", "RateLimit-Remaining": "2", "RateLimit": "\"x\";r=3"],
            remaining: 3
        ),
    ]

    @Test("each dialect is parsed", arguments: RequestQuotaTests.cases) func dialects(one: Case) throws {
        let quota = try #require(try Self.quota(one.fields))
        #expect(quota.limit == one.limit)
        #expect(quota.remaining == one.remaining)
        #expect(quota.resetsAfter == one.reset.map { .seconds($0) })
        #expect(quota.reset == one.reset.map { Self.now.addingTimeInterval($0) })
    }

    @Test(
        "hostile numbers are ignored",
        arguments: [
            "", "-1", "+1", "NaN", "nan", "inf", "1e9", "0x10", "1_000", "١٢", "one", ";", ",", ",,,,", "\"", "1.2.3",
        ]
    )
    func hostile(text: String) throws {
        #expect(try Self.quota(["X-RateLimit-Remaining": text, "X-RateLimit-Limit": text]) == nil)
        #expect(try Self.quota(["RateLimit": "\"a\";r=\(text);t=\(text)"]) == nil)
        let reset = try Self.quota(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text])
        #expect(reset?.remaining == 0 && reset?.resetsAfter == nil && reset?.wait == nil)
    }

    @Test("out-of-range values are limited or ignored; nothing overflows") func bounds() throws {
        let digits = String(repeating: "9", count: 60)
        let huge = try #require(try Self.quota(["X-RateLimit-Remaining": digits, "X-RateLimit-Reset": digits]))
        #expect(huge.remaining ?? 0 > 1_000_000_000_000)
        #expect(huge.resetsAfter == .seconds(31_536_000))
        #expect(try Self.quota(["RateLimit": "\"a\";r=\(digits);t=\(digits)"]) == nil)
        let year = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Fri, 31 Dec 9999 23:59:59 GMT"] as Headers
        #expect(try Self.quota(year)?.resetsAfter == .seconds(31_536_000))
        let later = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "10000-01-01T00:00:00Z"] as Headers
        #expect(try Self.quota(later)?.resetsAfter == nil)
        let past = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "784111000"] as Headers
        #expect(try Self.quota(past)?.wait == nil)
        let most = ["RateLimit": "\"a\";r=9223372036854775807;t=9223372036854775807"] as Headers
        #expect(try Self.quota(most)?.remaining == .max)
        let list = String(repeating: "1, ", count: 21_845) + "0"
        #expect(try Self.quota(["X-RateLimit-Remaining": list]) == nil)
        #expect(try Self.quota(["RateLimit": list]) == nil)
        let names =
            ["X-RateLimit-Remaining": "1", "X-RateLimit-Bucket": String(repeating: "x", count: 65_536)] as Headers
        #expect(try Self.quota(names)?.name?.utf8.count == 200)
        #expect(SpanText("1h\(digits)h") == nil && SpanText("5") == nil && SpanText("") == nil)
    }

    @Test("Retry-After counts if the status is an error, and takes precedence over the reset") func retryAfter()
        throws
    {
        #expect(try Self.quota([.retryAfter: "7"], status: 202) == nil)
        let refused = try Self.quota(
            [.retryAfter: "7", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"],
            status: 429
        )
        #expect(refused?.retryAfter == .seconds(7) && refused?.wait == .seconds(7))
        #expect(refused?.resetsAfter == .seconds(60))
        #expect(try Self.quota([.retryAfter: "7"], status: 403)?.wait == .seconds(7))
    }

    @Test("missing values are kept, unless the response has another limit") func updates() throws {
        let first = try #require(
            try Self.quota(["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "30"])
        )
        let second = first.updated(by: try #require(try Self.quota(["X-RateLimit-Remaining": "4"])))
        #expect(second.limit == 60 && second.remaining == 4 && second.reset == first.reset)
        let other = try #require(try Self.quota(["X-RateLimit-Remaining": "9", "X-RateLimit-Resource": "search"]))
        #expect(second.updated(by: other).limit == nil)
    }

    @Test("of a long list of limits only the first count, since each is compared with each policy")
    func longLists() throws {
        let limits = (0..<200).map { "\"\($0)\";r=\(1_000 - $0)" }
        let policies = (0..<200).map { "\"\($0)\";q=\($0)" }
        let all = [limits[..<100], limits[100...]].map { $0.joined(separator: ", ") }
        var fields = HTTPFields()
        for line in all { fields.append(HTTPField(name: try #require(HTTPField.Name("RateLimit")), value: line)) }
        fields[try #require(HTTPField.Name("RateLimit-Policy"))] = policies.joined(separator: ", ")
        let quota = RequestQuota(fields, status: .ok, at: Self.now)
        #expect(quota?.name == "15" && quota?.remaining == 985 && quota?.limit == 15)
    }

    @Test("it is described in words; a hostile name is shown, not executed") func words() throws {
        let quota = try Self.quota(["RateLimit": "limit=100, remaining=50, reset=90"])
        #expect(quota?.description == "50 of 100 left, reset after 1 min 30 s")
        var named = RequestQuota()
        (named.name, named.remaining) = ("a\u{1B}[2J", 1)
        #expect("\(named)" == "a\\u001b[2J: 1 left")
    }
}
