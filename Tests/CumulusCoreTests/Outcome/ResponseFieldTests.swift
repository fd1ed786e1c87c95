// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct ResponseFieldTests {
    private func response(
        _ headers: HTTPFields,
        status: HTTPResponse.Status = .ok,
        body: [UInt8] = [],
        method: HTTPRequest.Method = .get
    ) async throws -> Response {
        let transport = StubTransport { _ in .response(status, headers: Headers(headers), body: body) }
        let site = Resource("http://a.example", transport: transport.watched)
        // The fields are made up: the bodies don't have these codings.
        site.setRules { $0.contentCodings = [] }
        return try await site.call(method).send()
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sat Nov 16 08:49:37 1996", 848_134_177),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("Fri, 30 Dec 2016 23:59:60 GMT", 1_483_142_399), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
            ("SUNDAY, 06-NOV-94 08:49:37 GMT", 784_111_777), ("sun nov  6 08:49:37 1994", 784_111_777),
        ] as [(String, Int64)]
    )
    func datesAreRead(text: String, seconds: Int64) throws {
        #expect(HTTPDate(parsing: text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 nof 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 006 08:49:37 1994", "1994-11-06T08:49:37Z", "784111777",
        "Sun, ०६ Nov 1994 08:49:37 GMT",
    ]) func whatIsNoDateIsRefused(text: String) { #expect(HTTPDate(parsing: text) == nil) }

    @Test(arguments: [("26", 2026), ("75", 2075), ("76", 2076), ("77", 1977), ("99", 1999), ("00", 2000)])
    func aShortYearIsAtMostFiftyYearsAhead(digits: String, year: Int) throws {
        let now = try #require(HTTPDate(parsing: "Sat, 21 Nov 2026 00:00:00 GMT")).date
        let date = try #require(HTTPDate(parsing: "Monday, 01-Jun-\(digits) 00:00:00 GMT", now: now))
        #expect(date.description.contains(" \(year) "))
    }

    @Test func datesAreWrittenAsTheyAreRead() throws {
        var seconds: Int64 = -62_167_219_200
        while seconds < 253_402_300_799 {
            let date = HTTPDate(Date(timeIntervalSince1970: Double(seconds)))
            #expect(date.secondsSince1970 == seconds)
            #expect(HTTPDate(parsing: date.description) == date, "\(date)")
            seconds += 86_400 * 97 * Int64(SlowTests.rounds(5, of: 1)) + 12_345
        }
        #expect(HTTPDate(Date(timeIntervalSince1970: 784_111_777.9)).description == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate(Date(timeIntervalSince1970: .nan)).secondsSince1970 == 0)
        #expect(HTTPDate(Date(timeIntervalSince1970: -1e300)).secondsSince1970 == -62_167_219_200)
        #expect(HTTPDate(Date(timeIntervalSince1970: .infinity)).description == "Fri, 31 Dec 9999 23:59:59 GMT")
    }

    @Test(arguments: [
        ("bytes 0-499/1234", ContentRange(0...499, of: 1234)), ("bytes 0-0/*", ContentRange(0...0, of: nil)),
        ("bytes */1234", ContentRange(nil, of: 1234)), ("BYTES 5-9/10", ContentRange(5...9, of: 10)),
        (
            "bytes 9223372036854775806-9223372036854775806/9223372036854775807",
            ContentRange(9_223_372_036_854_775_806...9_223_372_036_854_775_806, of: .max)
        ),
    ]) func contentRangesAreRead(text: String, range: ContentRange) async throws {
        #expect(ContentRange(parsing: text) == range)
        #expect(ContentRange(parsing: range.description) == range)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-1", "bytes 2-1/10", "bytes 0-10/10", "bytes -1-2/3", "bytes 0-/3", "bytes */*", "0-1/2",
        "bytes 0-1/2/3", "bytes +0-1/2", "bytes 0-99999999999999999999/*", "bytes  0-1/2", "bytes 0 - 1/2",
        "bytes=0-1/2",
    ]) func whatIsNoContentRangeIsRefused(text: String) { #expect(ContentRange(parsing: text) == nil) }

    @Test func fieldsAreValues() async throws {
        let response = try await response([
            .eTag: "W/\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "nonsense", .contentLength: "12",
        ])
        #expect(response.etag == "W/\"a\"")
        #expect(response.lastModified == Date(timeIntervalSince1970: 784_111_777))
        #expect(response.date == nil)
        #expect(response.contentRange == nil)
        let none = try await self.response([:])
        #expect(none.etag == nil && none.lastModified == nil && none.expectedContentLength == nil)
    }

    @Test(
        "lengths come from Content-Length, otherwise from Content-Range",
        arguments: [
            (["4"], nil, 200, 4, 4), ([], "bytes 0-3/10", 206, 4, 10), (["4"], "bytes 0-3/10", 206, 4, 10),
            (["4"], "bytes 0-3/*", 206, 4, nil), ([], nil, 200, nil, nil), (["4"], nil, 206, 4, nil),
            ([], "bytes */10", 416, nil, 10), (["4, 4"], nil, 200, 4, 4), (["x"], nil, 200, nil, nil),
            (["-4"], nil, 200, nil, nil), (["4", "5"], nil, 200, nil, nil),
        ] as [([String], String?, Int, Int64?, Int64?)]
    )
    func lengths(lengths: [String], range: String?, code: Int, expected: Int64?, total: Int64?) async throws {
        var headers: HTTPFields = [:]
        for length in lengths { headers.append(HTTPField(name: .contentLength, value: length)) }
        if let range { headers[.contentRange] = range }
        let response = try await response(headers, status: .init(code: code))
        #expect(response.expectedContentLength == expected)
        #expect(response.totalContentLength == total)
    }

    @Test(
        "a response is complete if everything announced has arrived, or nothing was announced",
        arguments: [
            (["Content-Length": "3"], 200, "GET", true), (["Content-Length": "4"], 200, "GET", false),
            ([:], 200, "GET", true),
            (["Content-Range": "bytes 0-2/10"], 206, "GET", true),
            (["Content-Range": "bytes 0-3/10"], 206, "GET", false),
            (["Content-Length": "9"], 200, "HEAD", true), (["Content-Length": "9"], 304, "GET", true),
            (["Content-Length": "9", "Content-Encoding": "gzip"], 200, "GET", true),
        ] as [([String: String], Int, String, Bool)]
    )
    func completeness(fields: [String: String], code: Int, method: String, isComplete: Bool) async throws {
        var headers: HTTPFields = [:]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let response = try await response(headers, status: .init(code: code), body: [1, 2, 3], method: method)
        #expect(response.isComplete == isComplete)
    }
}
