// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// A part of a representation is never stored as the whole, whatever its status.
@Suite(.timeLimit(.minutes(10))) struct PartialContentTests {
    private static let whole = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }

    /// The response to a request for a range.
    struct Reply: Sendable, CustomTestStringConvertible {
        var status = 200
        /// The part's shift from the requested one, and the end that it lacks.
        var shift = 0
        var lack = 0
        var field: String? = "bytes %/100000"
        var isWhole = false
        /// Whether a broken body can be continued with it.
        var isRight = false

        var testDescription: String { "\(status) \(field ?? "-") shifted by \(shift), without \(lack)" }
    }

    static let replies = [
        Reply(status: 206, isRight: true), Reply(isRight: true), Reply(status: 206, shift: -10), Reply(shift: -10),
        Reply(status: 206, lack: 10), Reply(lack: 10), Reply(status: 206, field: "bytes %/100001"),
        Reply(field: "bytes %/100001"), Reply(field: "bytes %/*"), Reply(status: 206, field: nil),
        Reply(field: "bytes"), Reply(field: "bytes */100000"), Reply(field: "bytes 0-1/2, bytes %/100000"),
        Reply(status: 203), Reply(status: 201), Reply(status: 202, field: nil), Reply(status: 204, field: nil),
        Reply(status: 207), Reply(status: 416, field: "bytes */100000"), Reply(status: 412, field: nil),
        Reply(status: 304, field: nil), Reply(status: 404, field: nil), Reply(status: 500, field: nil),
        Reply(field: nil, isWhole: true), Reply(field: "bytes 0-99999/100000", isWhole: true),
    ]

    private static func site(_ reply: Reply, breaksAt: Int? = nil) -> CachedSite {
        CachedSite(announces: false, rules: { $0.retry = RetryPolicy() }) { request in
            var headers: Headers = [.cacheControl: "max-age=600", .eTag: "\"1\"", .acceptRanges: "bytes"]
            guard let range = request.headers[.range] else {
                headers[.contentLength] = "100000"
                guard let breaksAt, request.number == 1 else { return .response(headers: headers, body: whole) }
                let broken = TransportFailure(.truncated, "the test broke it off", fate: .unknown)
                return .script([.chunk(Array(whole.prefix(breaksAt))), .fail(broken)], headers: headers)
            }
            let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            let start = max(0, (Int(ends[0]) ?? 0) + reply.shift)
            let end = min((Int(ends[1]) ?? 99_999) + 1, 100_000) - reply.lack
            let body = reply.isWhole ? whole : Array(whole[start..<max(start, end)])
            if let field = reply.field {
                headers[.contentRange] = .init(field.replacing("%", with: "\(start)-\(end - 1)"))
            }
            headers[.contentLength] = "\(body.count)"
            return .response(
                .init(code: reply.status),
                headers: headers,
                body: [204, 304].contains(reply.status) ? [] : body
            )
        }
    }

    @Test("after the response to a request for a range, a GET returns the whole", arguments: replies)
    func afterRange(reply: Reply) async throws {
        let site = Self.site(reply)
        _ = try? await site.value(of: site.site["x"].call(.get, headers: [.range: "bytes=20-999"]).start())
        for _ in 0..<2 {
            let response = try await site.value(of: site.site["x"].call(.get).start())
            #expect(response.bytes.bytes == Self.whole)
        }
    }

    @Test("a body that breaks off is stored whole, or not at all", arguments: replies) func broken(reply: Reply)
        async throws
    {
        let site = Self.site(reply, breaksAt: 70_000)
        if let first = try? await site.value(of: site.site["x"].call(.get).start()) {
            #expect(first.bytes.bytes == Self.whole)
        } else {
            #expect(!reply.isRight)
        }
        let count = site.count
        let second = try await site.value(of: site.site["x"].call(.get).start())
        #expect(second.bytes.bytes == Self.whole)
        if reply.isRight { #expect(count == 2 && site.count == 2) }
    }

    @Test("a part that another version of the cache stored is not served") func oldParts() {
        let part = Stored.response(.ok, [("Cache-Control", "max-age=60"), ("Content-Range", "bytes 0-4/10")])
        #expect(!Storability.allows(part, request: CacheDirectives()))
        #expect(part.isPart && !Stored.response(.ok, [("Cache-Control", "max-age=60")]).isPart)
    }
}
