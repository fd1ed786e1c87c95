// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Encoding of payload, fields and query, and the parts that are encoded in advance.
@Suite struct EncodingTests {
    private func site() -> Resource {
        Resource("https://a.example/v1", transport: StubTransport { _ in .text("") }.watched)
    }

    private func encoded(
        _ resource: Resource,
        _ method: HTTPRequest.Method = .post,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        wanted: (any Any.Type)? = nil
    ) throws -> EncodedRequest {
        let settings = resource.snapshot
        let call = CallRequest(resource: resource, method: method, payload: payload, query: query, headers: headers)
        let draft = try call.draft(settings, settings.pipeline, wanted: wanted)
        return try settings.pipeline.encoding.encode(draft)
    }

    @Test func whatACallDoesNotChangeIsMadeAhead() throws {
        let site = site()
        site.setRules {
            $0.query["q"] = "a b"
            $0.headers[.acceptLanguage] = "de"
        }
        let settings = site["x"].snapshot
        let call = CallRequest(resource: site["x"], method: .get, payload: .none, query: [:], headers: [:])
        let draft = try call.draft(settings, settings.pipeline)
        #expect(draft.preparedTarget == "/v1/x?q=a%20b")
        #expect(draft.preparedFields != nil)
        var changed = draft
        changed.query["q"] = "c"
        changed.headers[.accept] = "*/*"
        #expect(changed.preparedTarget == nil && changed.preparedFields == nil)
        let (one, two) = (try settings.pipeline.encoding.encode(draft), try settings.pipeline.encoding.encode(changed))
        #expect(one.target == "/v1/x?q=a%20b" && two.target == "/v1/x?q=c")
        #expect(one.headers[.acceptLanguage] == "de" && two.headers[.acceptLanguage] == "de")
    }

    @Test func theWantedTypeChoosesAcceptWhereNobodySaysAnything() throws {
        let site = site()
        #expect(try encoded(site, .get, wanted: [Int].self).headers[.accept]?.contains("json") == true)
        #expect(try encoded(site, .get).headers[.accept] == nil)
        #expect(try encoded(site, .get, headers: [.accept: "text/x"], wanted: [Int].self).headers[.accept] == "text/x")
        #expect(try encoded(site, .get, headers: [.accept: nil], wanted: [Int].self).headers[.accept] == nil)
    }

    @Test func aPartIsNotAskedForInACoding() throws {
        let site = site()
        #expect(try encoded(site, .get).headers[.acceptEncoding] == "gzip, deflate")
        #expect(try encoded(site, .get, headers: [.range: "bytes=0-1"]).headers[.acceptEncoding] == nil)
        site.setRules { $0.headers[.range] = "bytes=0-1" }
        #expect(try encoded(site, .get).headers[.acceptEncoding] == nil)
    }

    @Test func whatTheCallSaysOfItsContentBeatsThePayloadsNameWhichBeatsASetting() throws {
        let site = site()
        site.setRules { $0.headers[.contentType] = "text/setting" }
        #expect(try encoded(site).headers[.contentType] == nil, "nothing is sent, so nothing is named")
        #expect(try encoded(site, .post, .json(["a": 1])).headers[.contentType] == "application/json")
        let own = try encoded(site, .post, .json(["a": 1]), headers: [.contentType: "application/x+json"])
        #expect(own.headers[.contentType] == "application/x+json")
        for method in [HTTPRequest.Method.get, .head, .delete, .post, .options] {
            let typed = try encoded(site, method, headers: [.contentType: "application/vnd.api+json"])
            #expect(typed.headers[.contentType] == "application/vnd.api+json", "the call itself names it")
            #expect(try encoded(site, method).headers[.contentType] == nil)
            #expect(try encoded(site, method, headers: [.contentType: nil]).headers[.contentType] == nil)
        }
        let masked = try encoded(site, .post, .bytes([1]), headers: [.contentType: nil])
        #expect(masked.headers[.contentType] == nil)
    }

    @Test func aFieldThatNoHeaderCanCarryIsNamedBeforeAnythingIsSent() {
        let site = site()
        site.setRules { $0.headers["X-Bad"] = "a\nb" }
        let error = #expect(throws: CumulusError.self) { try encoded(site) }
        #expect(error?.code == .invalidHeader && error?.stage == .encoding)
        #expect(error.map { !"\($0)".contains("a\nb") } == true)
    }

    @Test func anEncodedRequestKnowsItsCall() throws {
        let place = site()["x"]
        let request = try encoded(place)
        #expect(request.resource?.node === place.node)
        #expect(request.id != nil)
        #expect(try EncodedRequest(method: .get, url: RequestURL("https://a.example/")).resource == nil)
    }
}
