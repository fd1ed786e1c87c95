// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Preflights, interceptors, validators and post-processors, and their order.
@Suite struct HookTests {
    private struct Marker: Sendable {
        let name: String
        func intercept(
            _ request: EncodedRequest,
            next: InterceptorChain
        ) async throws -> TransportResponse {
            var marked = request
            marked.headers[.cookie] = (request.headers[.cookie] ?? "") + name
            return try await next(marked)
        }
    }

    private struct TwiceOver: Sendable {
        func intercept(
            _ request: EncodedRequest,
            next: InterceptorChain
        ) async throws -> TransportResponse {
            _ = try await next(request)
            return try await next(request)
        }
    }

    private struct Answering: Sendable {
        func intercept(
            _ request: EncodedRequest,
            next: InterceptorChain
        ) async throws -> TransportResponse {
            TransportResponse(head: ResponseHead(status: .accepted), body: ResponseBody(complete: ByteChunk("local")))
        }
    }

    private let transport = StubTransport { _ in .json("5") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    @Test func aPreflightMayChangeTheRequest() async throws {
        let site = site
        site.setRules {
            $0.preflights = [
                { draft in
                    draft.headers["X-Added"] = "yes"
                    draft.query["q"] = 1
                    draft.method = .put
                    draft.payload = .text("changed")
                }
            ]
        }
        try await site["a"].get().requireSuccess()
        let sent = try #require(transport.lastRequest)
        #expect(sent.headers["X-Added"] == "yes")
        #expect(sent.request.target == "/a?q=1")
        #expect(sent.method == .put)
        #expect(sent.text == "changed")
    }

    @Test func interceptorsNestTheRootsOutermost() async throws {
        let site = site
        site.setRules { $0.interceptors = [Marker(name: "1").intercept, Marker(name: "2").intercept] }
        let child = site["a"]
        child.setRules { $0.interceptors = [Marker(name: "3").intercept] }
        try await child.get().requireSuccess()
        #expect(transport.lastRequest?.headers[.cookie] == "123")
    }

    @Test func anInterceptorMayRepeatAnAttempt() async throws {
        let site = site
        site.setRules { $0.interceptors = [TwiceOver().intercept] }
        try await site.get().requireSuccess()
        #expect(transport.requests.count == 2)
    }

    @Test func anInterceptorMayAnswerInPlace() async throws {
        let site = site
        site.setRules { $0.interceptors = [Answering().intercept] }
        #expect(try await site.get().text == "local")
        #expect(transport.requests.isEmpty)
    }

    @Test func validatorsRunInOrderAndCanRefuse() async throws {
        struct Refused: Error {}
        let site = site
        site.setRules { $0.validators = [{ response in if response.header("X-Ok") == nil { throw Refused() } }] }
        do {
            _ = try await site.get()
            Issue.record("it was accepted")
        } catch {
            #expect((error as? CumulusError)?.code == .validation)
            #expect((error as? CumulusError)?.cause is Refused)
            #expect((error as? CumulusError)?.response?.text == "5")
        }
    }

    @Test func postProcessorsChainFromTheRoot() async throws {
        let site = site
        site.setRules { $0.postProcessors = [{ value, _ in ((value as? Int) ?? 0) + 1 }] }
        let child = site["a"]
        child.setRules {
            $0.postProcessors = [{ value, response in ((value as? Int) ?? 0) * 10 + response.status.code - 200 }]
        }
        #expect(try await child.get(as: Int.self) == 60)
        #expect(try await site.get(as: Int.self) == 6)
        #expect(try await child.get().text == "5")
    }

    @Test @MainActor func postProcessorsRunOffTheCallersActor() async throws {
        let site = site
        site.setRules {
            $0.postProcessors = [
                { value, _ in
                    #expect(!isMainThread())
                    return value
                }
            ]
        }
        #expect(try await site.get(as: Int.self) == 5)
    }

    @Test func aPostProcessorMustKeepTheType() async throws {
        let site = site
        site.setRules { $0.postProcessors = [{ _, _ in "text" }] }
        do {
            _ = try await site.get(as: Int.self)
            Issue.record("a String became an Int")
        } catch {
            #expect((error as? CumulusError)?.code == .postProcessing)
        }
    }

    @Test func everyHookReachesTheResourceOfTheCall() async throws {
        struct Looking: Authorizer {
            let seen: Sightings
            func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
                seen.note("interceptor", request.resource)
                return try await next(request)
            }
            func authorize(_ request: inout EncodedRequest) async throws { seen.note("authorizer", request.resource) }
        }
        let site = site
        let seen = Sightings()
        let looking = Looking(seen: seen)
        site.setRules {
            $0.preflights = [{ draft in seen.note("preflight", draft.resource) }]
            $0.interceptors = [looking.intercept]
            $0.authorizers = [.custom(looking)]
            $0.validators = [{ response in seen.note("validator", response.request.resource) }]
            $0.postProcessors = [
                { value, response in
                    seen.note("post-processor", response.request.resource)
                    return value
                }
            ]
        }
        let child = site["a"]
        child.setRules { $0.timeout = .seconds(7) }
        _ = try await child.get(as: Int.self)
        #expect(
            seen.all
                == ["preflight", "interceptor", "authorizer", "validator", "post-processor"].map { "\($0) 7.0 seconds" }
        )
        let byHand = EncodedRequest(method: .get, url: try RequestURL("http://a.example"))
        #expect(byHand.resource == nil)
    }

    @Test func aHeaderOfAnyNameCanBeSet() throws {
        var request = EncodedRequest(method: .get, url: try RequestURL("http://a.example"))
        let name = "X-Key"
        try request.setHeader(.init(name), to: "one")
        try request.setHeader("x-key", to: "two")
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["x-key: two"])
        try request.setHeader("X-KEY", to: nil)
        #expect(request.headers.isEmpty)
        for (name, value) in [("bad name", "x"), ("", "x"), ("X-Key", "a\r\nEvil: 1")] {
            let error = #expect(throws: CumulusError.self) { try request.setHeader(.init(name), to: value) }
            #expect(error?.code == .invalidHeader)
            #expect(error?.message.contains("Evil") == false)
        }
        #expect(request.headers.isEmpty)
    }
}

/// A record that hooks share.
private final class Sightings: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock(\.self) }

    func note(_ who: String, _ resource: Resource?) {
        let limit = resource.flatMap { $0.settings.timeout }
        notes.withLock { $0.append("\(who) \(limit.map { "\($0)" } ?? "without resource")") }
    }
}
