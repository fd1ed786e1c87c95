// SPDX-License-Identifier: Apache-2.0

import CumulusServices
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Each way to make a body uses the coders and the query style of the resource.
///
/// The places are: values, literals, JSON, forms, lines (as a list and as a sequence), multipart forms, other parts, and
/// an endpoint's members, whole body and typed body. Bytes, texts, files and streams are sent as they are.
@Suite struct PayloadSettingsTests {
    private struct Person: Codable, Sendable {
        var firstName = "Ada"
        var tags = ["a", "b"]
    }

    private let transport = StubTransport { _ in .text("") }

    /// A resource with names in snake case, and lists as repeated names.
    private var site: Resource {
        let site = Resource("http://a.example", transport: transport.watched)
        var coder = JSONCoder()
        coder.encoding.keys = .convertToSnakeCase
        site.setRules {
            $0.coders.registerJSON(coder)
            $0.queryStyle.arrays = .repeated
        }
        return site
    }

    private func sent(_ payload: Payload, from site: Resource? = nil) async throws -> StubRequest {
        _ = try await (site ?? self.site).post(payload)
        return try #require(transport.lastRequest)
    }

    private static func people() -> AsyncStream<Person> {
        AsyncStream { continuation in
            continuation.yield(Person())
            continuation.finish()
        }
    }

    private static let json = #"{"first_name":"Ada","tags":["a","b"]}"#

    @Test(
        "every payload of JSON uses the coder of the resource",
        arguments: [
            (Payload.value(Person()), json), (.json(Person()), json), (.value(Person(), as: .json), json),
            (.value([Person()], as: .jsonLines), json + "\n"), (["person": Person()], #"{"person":\#(json)}"#),
            ([Person(), 1], "[\(json),1]"),
            (.jsonLines(people()), json + "\n"),
            (.value(Person()).compressed(by: .gzip, keepingSmaller: true), json),
        ] as [(Payload, String)]
    )
    func values(payload: Payload, text: String) async throws {
        #expect(try await sent(payload).text == text)
    }

    @Test func partsUseTheCoderToo() async throws {
        let form = try await sent(.multipart(["a": .json(Person()), "b": .value(Person(), as: .json)])).text
        #expect(form.components(of: Self.json) == 2, "\(form)")
        let parts = try await sent(.multipart([.json(Person())], type: MediaType("multipart", "mixed"))).text
        #expect(parts.components(of: Self.json) == 1)
    }

    @Test func linesHaveTheirOwnCoderIfThereIsOne() async throws {
        let site = self.site
        site.setRules { $0.coders.register(JSONLinesCoder(), forMediaTypes: "application/x-ndjson") }
        for payload in [Payload.jsonLines(Self.people()), .value([Person()], as: .jsonLines)] {
            #expect(try await sent(payload, from: site).text == #"{"firstName":"Ada","tags":["a","b"]}"# + "\n")
        }
        #expect(try await sent(.jsonLines(Self.people(), using: JSONCoder())).text.contains("firstName"))
    }

    @Test func valuesThatAreGoneAreNotSentAgain() async throws {
        let payload = Payload.jsonLines(Self.people())
        #expect(try await sent(payload).text == Self.json + "\n")
        await #expect(throws: CumulusError.self) { try await sent(payload) }
    }

    @Test(
        "every form has the query style of the resource",
        arguments: [
            Payload.form(["tags": ["a", "b"]]), .value(["tags": ["a", "b"]], as: .form),
            .form(["tags": ["a", "b"]]).compressed(by: .gzip, keepingSmaller: true),
        ]
    )
    func forms(payload: Payload) async throws {
        let request = try await sent(payload)
        #expect(request.text == "tags=a&tags=b")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        let plain = Resource("http://a.example", transport: transport.watched)
        #expect(try await sent(payload, from: plain).text == "tags%5B%5D=a&tags%5B%5D=b")
        // A registered coder's own style is nearer than the query's, and a style of the call is the nearest.
        let site = self.site
        site.setRules {
            $0.coders.register(
                FormCoder(style: QueryStyle(arrays: .commas)),
                mediaTypes: ["application/x-www-form-urlencoded"]
            )
        }
        #expect(try await sent(payload, from: site).text == "tags=a,b")
        let style = QueryStyle(arrays: .brackets, sendsLiteralBrackets: true)
        #expect(try await sent(.form(["tags": ["a", "b"]], style: style), from: site).text == "tags[]=a&tags[]=b")
    }

    @Test func aPartThatIsAFormHasTheStyleToo() async throws {
        let text = try await sent(.multipart(["a": .value(["tags": ["a", "b"]], as: .form)])).text
        #expect(text.contains("tags=a&tags=b"))
    }

    @Test func aFormIsReadAsItIsWritten() async throws {
        let transport = StubTransport { _ in
            .text("tags=a,b", headers: [.contentType: "application/x-www-form-urlencoded"])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        #expect(try await site.get(as: [String: [String]].self) == ["tags": ["a,b"]])
        site.setRules { $0.queryStyle.arrays = .commas }
        #expect(try await site.get(as: [String: [String]].self) == ["tags": ["a", "b"]])
    }

    // MARK: Endpoints

    private struct Shop: ServiceEndpoints {
        var service = ServiceDescription("Shop", at: "http://a.example")
        let typed: Endpoint<Person, Void>
        let text: Endpoint<String, Void>

        init(_ format: EndpointBodyFormat?, service own: EndpointBodyFormat? = nil) {
            if let own { service.bodyFormat = own }
            typed = Endpoint<Person, Void>(.post, "a").describing { $0.bodyFormat = format }
            text = Endpoint<String, Void>(.post, "a").describing { $0.bodyFormat = format }
        }
    }

    private func call(_ shop: Shop) async throws -> StubRequest {
        let client = ServiceClient(shop, on: site)
        try await client.typed(Person()).send()
        return try #require(transport.lastRequest)
    }

    @Test func aTypedBodyHasTheFormatOfItsEndpointOrService() async throws {
        #expect(try await call(Shop(nil)).text == Self.json)
        for shop in [Shop(.form), Shop(nil, service: .form), Shop(.form, service: .multipart)] {
            let request = try await call(shop)
            #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
            #expect(request.text == "firstName=Ada&tags=a&tags=b")
        }
        let parts = try await call(Shop(.multipart))
        #expect(parts.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(
            parts.text.components(of: "name=\"tags\"") == 2 && parts.text.contains("name=\"first_name\""),
            "\(parts.text)"
        )
        let media = try await call(Shop(.media(MediaType("application", "vnd.shop+json"))))
        #expect(media.headers[.contentType] == "application/vnd.shop+json" && media.text == Self.json)
        #expect(try await call(Shop(nil, service: .json)).text == Self.json)
    }

    @Test func aTextThatIsAFormAlreadyIsSentAsItIs() async throws {
        try await ServiceClient(Shop(.form), on: site).text("a=1&b=%20").send()
        #expect(transport.lastRequest?.text == "a=1&b=%20")
        #expect(transport.lastRequest?.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true)
    }

    @Test func theMembersOfAnEndpointsBodyHaveTheResourcesSettings() async throws {
        var service = ServiceDescription("Shop", at: "http://a.example")
        let names = ["person", "tags"].map { EndpointParameter($0, in: .body) }
        for format in [EndpointBodyFormat.json, .form, .multipart] {
            service[format.rawValue] = EndpointDescription(
                format.rawValue,
                .post,
                template: "a",
                parameters: names,
                bodyFormat: format
            )
        }
        let called = Service(service, on: site)
        _ = try await called.call("json", ["person": Person()]).send()
        #expect(transport.lastRequest?.text == #"{"person":\#(Self.json)}"#)
        _ = try await called.call("form", ["tags": ["a", "b"]]).send()
        #expect(transport.lastRequest?.text == "tags=a&tags=b")
        _ = try await called.call("multipart", ["tags": ["a", "b"]]).send()
        #expect(transport.lastRequest?.text.contains(#"["a","b"]"#) == true)
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
