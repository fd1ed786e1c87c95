// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Ranges of a fixture, as a server sends them (RFC 9110 section 14).
@Suite struct FixtureRangeTests {
    private func get(_ range: String, ifRange: String? = nil) async throws -> Response {
        let site = Offline().site
        site.setRules { $0.fixtures["GET /a"] = .text("0123456789", headers: [.eTag: "\"x\""]) }
        return try await site["a"].get(headers: [.range: range, "If-Range": ifRange])
    }

    @Test(
        arguments: [
            ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=4-", "456789", "bytes 4-9/10"),
            ("bytes=-2", "89", "bytes 8-9/10"), ("bytes=8-99", "89", "bytes 8-9/10"),
            ("bytes=-99", "0123456789", "bytes 0-9/10"), ("bytes=9-9223372036854775807", "9", "bytes 9-9/10"),
        ]
    ) func aRangeIsAnsweredWithThePart(range: String, text: String, field: String) async throws {
        let response = try await get(range)
        #expect(response.status.code == 206)
        #expect(response.text == text)
        #expect(response.header("Content-Range") == field)
        #expect(response.header("Content-Length") == "\(text.count)")
    }

    @Test(arguments: ["bytes=10-", "bytes=99-100", "bytes=-0", "bytes=99999999999999999999-"])
    func aRangeBeyondTheEndIsRefused(range: String)
        async throws
    {
        let response = try await get(range)
        #expect(response.status.code == 416)
        #expect(response.header("Content-Range") == "bytes */10")
        #expect(response.bytes.isEmpty)
    }

    @Test(
        arguments: [
            "items=0-3", "bytes=0-1,3-4", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=99999999999999999999-5",
        ]
    ) func aRangeThatCantBeReadGetsTheWhole(range: String) async throws {
        let response = try await get(range)
        #expect(response.status.code == 200)
        #expect(response.text == "0123456789")
    }

    @Test(arguments: [("\"x\"", 206), ("\"y\"", 200), ("W/\"x\"", 200)]) func ifRangeIsCompared(
        tag: String,
        status: Int
    ) async throws {
        let response = try await get("bytes=0-1", ifRange: tag)
        #expect(response.status.code == status)
    }
}
