// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A revision is remembered once its body has been delivered whole, in memory, as a stream, or in a file.
@Suite(.timeLimit(.minutes(10))) struct RevisionDeliveryTests {
    /// Answers in order, the last one again and again.
    private func site(_ answers: StubResponse...) -> (Resource, StubTransport) {
        let left = Mutex(answers)
        let transport = StubTransport { _ -> StubResponse in
            return left.withLock { left -> StubResponse in
                if left.count > 1 { return left.removeFirst() }
                return left.first ?? .text("")
            }
        }
        let site = Resource("http://a.example/doc", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.retry = .never
        }
        return (site, transport)
    }

    private static func whole(_ tag: String) -> StubResponse {
        .response(headers: [.eTag: "\"\(tag)\""], body: Array("body".utf8))
    }

    private static func broken(_ tag: String) -> StubResponse {
        .script(
            [.chunk(Array("bo".utf8)), .fail(TransportFailure(.truncated, "the test broke it off", fate: .unknown))],
            headers: [.eTag: "\"\(tag)\""]
        )
    }

    /// The tag with which the next GET asks.
    private func asked(_ site: Resource, _ transport: StubTransport) async throws -> String? {
        try await site.get().requireSuccess()
        return transport.lastRequest?.headers[.ifNoneMatch]
    }

    @Test("a version whose body broke off is not known: neither to a GET nor to a change")
    func brokenInMemory() async throws {
        let (site, transport) = site(Self.broken("1"), Self.whole("1"))
        #expect(try await failure { try await site.get() }.code == .truncatedBody)
        site.setRules { $0.conditions.ifUnchanged = true }
        #expect(try await failure { try await site.put(body: "x") }.code == .invalidRequest)
        #expect(try await asked(site, transport) == nil)
        #expect(try await asked(site, transport) == "\"1\"")
        try await site.put(body: "x").requireSuccess()
        #expect(transport.lastRequest?.headers[.ifMatch] == "\"1\"")
    }

    @Test("the known version stays if a newer one breaks off")
    func theKnownStays() async throws {
        let (site, transport) = site(Self.whole("1"), Self.broken("2"), Self.whole("2"))
        try await site.get().requireSuccess()
        _ = try await failure { try await site.get() }
        #expect(try await asked(site, transport) == "\"1\"")
        #expect(try await asked(site, transport) == "\"2\"")
    }

    @Test("a body that can't be decoded has not been delivered")
    func undecodable() async throws {
        let coded = StubResponse.response(headers: [.eTag: "\"1\"", .contentEncoding: "gzip"], body: [1, 2, 3])
        let (site, transport) = site(coded, Self.whole("1"))
        #expect(try await failure { try await site.get() }.code == .contentCoding)
        #expect(try await asked(site, transport) == nil)
    }

    @Test("of a repeated request, the version that was delivered is known")
    func repeated() async throws {
        let (site, transport) = site(Self.broken("1"), Self.whole("2"))
        site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(2))) }
        try await site.get().requireSuccess()
        #expect(transport.requests.count == 2)
        #expect(try await asked(site, transport) == "\"2\"")
    }

    @Test("a stream's version is known once it has been read to its end")
    func streams() async throws {
        let (site, transport) = site(Self.broken("1"), Self.whole("1"))
        let broken = try await site.call(.get).stream()
        _ = try await failure { for try await _ in broken {} }
        var dropped: ResponseStream? = try await site.call(.get).stream()
        #expect(dropped?.headers[.eTag] == "\"1\"" && transport.lastRequest?.headers[.ifNoneMatch] == nil)
        dropped = nil
        for try await _ in try await site.call(.get).stream() {}
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
        #expect(try await asked(site, transport) == "\"1\"")
    }

    @Test("a file's version is known once the file is there")
    func files() async throws {
        let folder = try TemporaryFolder()
        let (site, transport) = site(Self.broken("1"), Self.whole("1"))
        _ = try await failure { try await site.download(to: .file("\(folder.path)/doc")) }
        #expect(try await asked(site, transport) == nil)
        let (other, requests) = self.site(Self.whole("1"))
        _ = try await other.download(to: .file("\(folder.path)/doc"))
        #expect(try await asked(other, requests) == "\"1\"")
    }

    // MARK: A change is guarded by what its caller had

    @Test func aRedirectedOrRetriedChangeKeepsItsCondition() async throws {
        let transport = StubTransport { request in
            switch (request.method, request.url) {
            case (.get, _): Self.whole("1")
            case (_, "http://a.example/doc"):
                .response(.temporaryRedirect, headers: ["Location": "http://a.example/moved"])
            case (_, "http://a.example/moved") where request.number < 4: .response(.serviceUnavailable)
            case (_, "http://a.example/moved"):
                .response(.temporaryRedirect, headers: ["Location": "http://b.example/there"])
            default: .response(.noContent)
            }
        }
        let site = Resource("http://a.example/doc", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
            $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero))
        }
        _ = try await site.get()
        #expect(try await site.delete().status == .noContent)
        #expect(transport.requests.dropFirst().map { $0.headers[.ifMatch] } == ["\"1\"", "\"1\"", "\"1\"", "\"1\""])
        #expect(transport.lastRequest?.url == "http://b.example/there")
    }

    /// 303 leads to what the change has made, which may well have another version.
    @Test func afterSeeOtherTheChangesConditionIsGone() async throws {
        let transport = StubTransport { request in
            request.method == .put ? .response(.seeOther, headers: ["Location": "/doc"]) : Self.whole("1")
        }
        let site = Resource("http://a.example/doc", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
        }
        _ = try await site.get()
        #expect(try await site.put(body: 1).text == "body")
        #expect(transport.requests.map { $0.headers[.ifMatch] } == [nil, "\"1\"", nil])
    }

    /// What another caller reads between two attempts is no reason to overwrite it.
    @Test func whatOthersReadMeanwhileChangesNoCondition() async throws {
        let tag = Mutex("1")
        let transport = StubTransport { request in
            if request.method == .get { return Self.whole(tag.withLock(\.self)) }
            return .response(.serviceUnavailable)
        }
        let site = Resource("http://a.example/doc", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
            $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero))
        }
        let rereading: Interceptor = { request, next in
            let response = try await next(request)
            if request.method == .put {
                tag.withLock { $0 = "2" }
                _ = try await site.get()
                response.body.cancel()
                return try await next(request)
            }
            return response
        }
        site.setRules { $0.interceptors.append(rereading) }
        _ = try await site.get()
        _ = try await site.put(body: 1)
        let puts = transport.requests.filter { $0.method == .put }
        #expect(puts.map { $0.headers[.ifMatch] } == Array(repeating: "\"1\"", count: 4))
    }

    @Test func anInterceptorThatMakesTheRequestAnewLosesNoCondition() async throws {
        let (site, transport) = site(Self.whole("1"))
        site.setRules {
            $0.conditions = .ifUnchanged
            $0.interceptors.append { request, next in
                try await next(
                    EncodedRequest(
                        method: request.method,
                        url: request.url,
                        headers: request.headers,
                        body: request.body
                    )
                )
            }
        }
        _ = try await site.get()
        try await site.put(body: 1).requireSuccess()
        #expect(transport.lastRequest?.headers[.ifMatch] == "\"1\"")
    }

    @Test("a change that is sent again is guarded by the same bytes") func latinTags() async throws {
        let tag: [UInt8] = [0x22, 0x63, 0xE9, 0x22]
        let seen = Mutex<[[UInt8]]>([])
        struct TagTransport: Transport {
            let capabilities = TransportCapabilities()
            let tag: [UInt8]
            let see: @Sendable ([UInt8]) -> Int

            func identity(at origin: Origin) -> TransportIdentity { .anonymous }
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                var (status, fields) = (HTTPResponse.Status.ok, HTTPFields())
                if request.method == .get {
                    fields.append(HTTPField(name: .eTag, lenientValue: tag))
                } else {
                    let sent = request.headers[fields: .ifMatch].first?.withUnsafeBytesOfValue(Array.init)
                    status = see(sent ?? []) == 1 ? .serviceUnavailable : .noContent
                }
                let head = ResponseHead(status: status, headers: fields)
                return TransportResponse(head: head, body: ResponseBody(complete: .empty))
            }
        }
        let transport = TagTransport(tag: tag) { sent in
            seen.withLock { seen in
                seen.append(sent)
                return seen.count
            }
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
            $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero, cap: .zero), budget: nil)
        }
        _ = try await site["x"].get()
        try await site["x"].put(.text("a")).requireSuccess()
        #expect(seen.withLock(\.self) == [tag, tag])
    }
}
