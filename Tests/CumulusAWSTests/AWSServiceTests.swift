// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusAWS

/// Whole calls against a service that checks each signature.
@Suite(.timeLimit(.minutes(10))) struct AWSServiceTests {
    @Test func everyVerbIsBelieved() async throws {
        let service = AWSService()
        let site = service.site()
        try await site["a b/c+d/ü"].get(query: ["x": "1+2", "empty": "", "ü": "*"]).requireSuccess()
        try await site["a"].put(.text("hello"), headers: ["X-Amz-Meta-Title": "a  b"]).requireSuccess()
        try await site["a"].delete().requireSuccess()
        #expect(service.payloads == [[], Array("hello".utf8), []])
        #expect(service.refusals.isEmpty)
    }

    @Test(arguments: [AWSPayload.automatic, .digest, .chunks(checksum: .crc32c), .unsigned])
    func streamsAreBelieved(payload: AWSPayload) async throws {
        let service = AWSService()
        let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let stream = StreamBody(length: Int64(bytes.count), replay: .restartable) { _, writer in
            for start in stride(from: 0, to: bytes.count, by: 70_000) {
                try await writer.write(ByteChunk(Array(bytes[start..<min(start + 70_000, bytes.count)])))
            }
        }
        try await service.site(payload: payload)["a"].put(.body(.stream(stream))).requireSuccess()
        #expect(service.payloads == [bytes])
    }

    @Test("a wrong clock is corrected once, with the service's, and stays correct")
    func skew() async throws {
        let service = AWSService()
        let site = service.site()
        service.clientClock += 3_600
        try await site["a"].put(.text("x")).requireSuccess()
        #expect(service.refusals == ["RequestTimeTooSkewed"])
        try await site["b"].get().requireSuccess()
        #expect(service.refusals.count == 1)
    }

    @Test func aHeadRequestIsCorrectedWithoutABody() async throws {
        let service = AWSService()
        let site = service.site()
        service.clientClock -= 3_600
        #expect(try await site["a"].head().isSuccessful)
        #expect(service.refusals.count == 1)
    }

    @Test("a service with a contradictory clock is believed only once, and one that is days off never")
    func skewWithoutReason() async throws {
        #expect(try await attempts(withServiceAhead: 3_600) == 2)
        #expect(try await attempts(withServiceAhead: 100_000) == 1)
        #expect(try await attempts(withServiceAhead: -100_000) == 1)
    }

    @Test("one service's clock doesn't affect another's")
    func skewOfAnotherOrigin() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let dates = Mutex([String]())
        let transport = StubTransport { request in
            let first = dates.withLock { dates in
                dates.append("\(request.request.origin.host) \(request.headers["X-Amz-Date"] ?? "")")
                return dates.count == 1
            }
            guard first else { return .text("") }
            let body = Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
            let date = HTTPDate(now.addingTimeInterval(3_600))
            return .response(.forbidden, headers: [.date: date.description], body: body)
        }
        let authorizer = AWSAuthorizer(.keys(id: "AKID", secret: "s"), region: "r", service: "s3", time: { now })
        for host in ["a.example", "b.example"] {
            let site = Resource("https://\(host)", transport: transport.watched) { $0.authorizers.append(authorizer) }
            try await site["x"].get().requireSuccess()
        }
        let sent = ["a.example 20231114T221320Z", "a.example 20231114T231320Z", "b.example 20231114T221320Z"]
        #expect(dates.withLock(\.self) == sent)
    }

    /// How often a service is asked whose clock is ahead, and which always reports that ours is wrong.
    private func attempts(withServiceAhead seconds: Double) async throws -> Int {
        let asked = Mutex(0)
        let transport = StubTransport { _ in
            asked.withLock { $0 += 1 }
            return .response(
                .forbidden,
                headers: [.date: HTTPDate(Date(timeIntervalSinceNow: seconds)).description],
                body: Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
            )
        }
        let site = Resource("https://s3.eu-west-1.amazonaws.com", transport: transport.watched) {
            $0.authorizers = [.aws(.keys(id: "AKID", secret: "s"))]
            $0.errorDecoders = [.aws]
        }
        let error = try await #require(throws: CumulusError.self) { try await site["b"].get().requireSuccess() }
        #expect(error.serviceError(as: AWSError.self)?.code == "RequestTimeTooSkewed")
        return asked.withLock(\.self)
    }

    @Test func aWrongSecretIsTheServicesOwnError() async throws {
        let service = AWSService()
        let site = service.site(.keys(id: "AKID", secret: "wrong"))
        let error = try await #require(throws: CumulusError.self) { try await site["b"].get().requireSuccess() }
        #expect(error.serviceError(as: AWSError.self) == AWSError(code: "SignatureDoesNotMatch", message: "no"))
        #expect(service.refusals.count == 1, "it isn't tried again")
        #expect(!"\(error)".contains("wrong"))
    }

    @Test("keys that the service reports as expired are fetched again, once")
    func expiredKeys() async throws {
        let number = Mutex(0)
        let transport = StubTransport { request in
            guard request.headers[.authorization]?.contains("KEY2/") != true else { return .text("ok") }
            return .response(.badRequest, body: Array("<Error><Code>ExpiredToken</Code></Error>".utf8))
        }
        let site = Resource("https://s3.eu-west-1.amazonaws.com", transport: transport.watched) {
            $0.authorizers = [
                .aws(
                    .custom {
                        let number = number.withLock { number in
                            number += 1
                            return number
                        }
                        return AWSCredentials(accessKeyID: "KEY\(number)", secretAccessKey: "s", sessionToken: "t")
                    }
                )
            ]
        }
        try await site["a"].get().requireSuccess()
        #expect(transport.requests.count == 2)
        #expect(transport.lastRequest?.headers["X-Amz-Security-Token"] == "t")
    }

    @Test func aSessionTokenIsCovered() async throws {
        let service = AWSService(
            AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret", sessionToken: "a/b+c==")
        )
        let source = AWSCredentialSource.keys(id: "AKID", secret: "secret", sessionToken: "a/b+c==")
        try await service.site(source)["a"].get().requireSuccess()
        let url = try await service.site(source)["a b"].presignedURL(for: .seconds(60), query: ["q": "1 2"])
        try await Resource(url, transport: service.transport().watched).get().requireSuccess()
        #expect(service.payloads.count == 2)
    }

    @Test("a presigned URL is valid for its method and its time")
    func presigned() async throws {
        let service = AWSService()
        let url = try await service.site()["2026/cat+dog.png"].presignedURL(.put, for: .seconds(60))
        let visitor = Resource(url, transport: service.transport().watched)
        try await visitor.put(.text("x")).requireSuccess()
        #expect(try await visitor.get().status == .forbidden)
        service.clock += 61
        #expect(try await visitor.put(.text("x")).status == .forbidden)
        #expect(service.refusals == ["SignatureDoesNotMatch", "AccessDenied"])
    }

    @Test("the URL that is signed is the one that a request would have, with nothing run for it")
    func presignedForThePlace() async throws {
        let service = AWSService()
        let jar = CookieJar()
        try jar.set("sid=7; Path=/", from: service.site().urlString ?? "")
        let site = service.site().with {
            $0.query = ["b": [1, 2], "a": "x y"]
            $0.trailingSlash = .added
            $0.cookies = jar
            $0.preflights.append { _ in throw NotCalled() }
            $0.interceptors.append { _, _ in throw NotCalled() }
            $0.headers["X-Broken"] = "a\u{1}b"
        }
        let place = try site["a"].requestURL(query: ["c": "+"])
        #expect(place.target == "/a/?b%5B%5D=1&b%5B%5D=2&a=x%20y&c=%2B")
        let url = try await site["a"].presignedURL(for: .seconds(60), query: ["c": "+"])
        #expect(url.hasPrefix("\(place)&X-Amz-Algorithm="))
        try await Resource(url, transport: service.transport().watched).get().requireSuccess()
        #expect(service.payloads.count == 1)
    }

    private struct NotCalled: Error {}

    @Test("a source of keys that fails keeps its failure's code, and a cancelled one is a cancellation")
    func presigningFails() async throws {
        func site(_ load: @escaping @Sendable () async throws -> AWSCredentials) -> Resource {
            Resource("https://b.example/a", transport: StubTransport { _ in .text("") }.watched) {
                $0.authorizers = [.aws(.custom(load), region: "r", service: "s3")]
            }
        }
        let slow = site { throw TransportFailure(.timeout(.connect), "the vault is slow") }
        let error = await #expect(throws: CumulusError.self) { try await slow.presignedURL(for: .seconds(60)) }
        #expect(error?.code == .timeout && error?.phase == .connect && error?.request == nil)
        let foreign = site {
            // Ends by the cancellation, which it reports in its own way.
            try? await Task.sleep(for: .seconds(600))
            throw NotCalled()
        }
        let call = Task { try await foreign.presignedURL(for: .seconds(60)) }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func withoutAnAuthorizerNothingIsPresigned() async throws {
        let site = Resource("https://a.example", transport: AWSService().transport().watched)
        let error = try await #require(throws: CumulusError.self) { _ = try await site.presignedURL(for: .seconds(1)) }
        #expect(error.code == .authorization)
        site.setRules { $0.authorizers = [.aws(.keys(id: "AKID", secret: "s"))] }
        let unknown = try await #require(throws: CumulusError.self) {
            _ = try await site.presignedURL(for: .seconds(1))
        }
        #expect("\(unknown)".contains("service:"))
    }

    @Test("a change in transit is detected", arguments: ["method", "target", "field", "body", "chunk", "trailer"])
    func tampering(what: String) async throws {
        let keys = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let payload: AWSPayload = what == "body" ? .digest : .chunks(checksum: .sha256)
        let source = AWSCredentialSource.keys(id: "AKID", secret: "secret")
        let authorizer = AWSAuthorizer(source, region: "r", service: "s3", payload: payload) { now }
        var request = EncodedRequest(
            method: .put,
            url: try RequestURL("https://b.example/a"),
            headers: [.contentType: "text/plain"],
            body: .bytes(ByteChunk("hello"))
        )
        try await authorizer.authorize(&request)
        let sent = Mutex<[UInt8]>([])
        try await request.body.read { chunk in sent.withLock { $0 += chunk.bytes } }
        var (method, target, body) = ("PUT", "/a", sent.withLock(\.self))
        var fields = [("host", "b.example")] + request.headers.map { ($0.name.canonicalName, $0.value) }
        func check() throws -> [UInt8] {
            try AWSVerifier(keys).payload(method: method, target: target, fields: fields, body: body, at: now)
        }
        #expect(try check() == Array("hello".utf8))
        switch what {
        case "method": method = "POST"
        case "target": target = "/b"
        case "field": fields.append(("x-amz-acl", "public-read"))
        case "body": body[0] ^= 1
        case "chunk": body[90] ^= 1
        default: body[body.count - 100] ^= 1
        }
        #expect(throws: AWSError.self) { try check() }
    }
}
