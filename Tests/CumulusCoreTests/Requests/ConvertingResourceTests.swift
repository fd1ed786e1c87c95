// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

/// Values that a function converts for a whole resource.
@Suite struct ConvertingResourceTests {
    private struct Picture: Sendable, Equatable {
        struct Broken: Error {}
        var pixels: Int

        init(_ data: Data) throws {
            if data.isEmpty { throw Broken() }
            pixels = data.count
        }
    }

    private let transport = StubTransport { request in
        switch request.path {
        case "/pictures/missing": .text("no", status: .notFound)
        case "/pictures/empty": .response()
        default: .response(body: [UInt8](repeating: 7, count: request.body.isEmpty ? 4 : request.body.count))
        }
    }
    private var site: Resource { Resource("http://a.example", transport: transport) }

    @Test("raw data becomes a custom type for a resource and everything below it")
    func wholeResource() async throws {
        let pictures = site["pictures"].converting(Data.self) { data, _ in try Picture(data) }
        #expect(try await pictures["abc123"].get().pixels == 4)
        #expect(try await pictures[5].get().pixels == 4)
        #expect(try await pictures[segment: "a/b"].post("12345678").pixels == 8)
        #expect(try await pictures["x"].prepare(.get).send().pixels == 4)
    }

    @Test("conversions form a chain, after the post-processors of the settings")
    func chain() async throws {
        let site = site
        site.setRules { $0.postProcessors = [{ value, _ in (value as? Data).map { $0 + [1] } ?? value }] }
        let pixels = site["pictures"]
            .converting(Data.self) { data, _ in try Picture(data) }
            .converting { picture, response in "\(picture.pixels) of \(response.status.code)" }
        #expect(try await pixels["a"].get() == "5 of 200")
    }

    @Test("a conversion's error, and a status, fail the call")
    func failures() async throws {
        let pictures = site["pictures"].converting(Data.self) { data, _ in try Picture(data) }
        let empty = try await failure { try await pictures["empty"].get() }
        #expect(empty.code == .postProcessing && empty.cause is Picture.Broken)
        let missing = try await failure { try await pictures["missing"].get() }
        #expect(missing.code == .status)
    }

    @Test("a post-processor's value of another type is named")
    func anotherType() async throws {
        let site = site
        site.setRules { $0.postProcessors = [{ _, _ in 5 }] }
        let pictures = site["pictures"].converting(Data.self) { data, _ in try Picture(data) }
        let error = try await failure { try await pictures["a"].get() }
        #expect(error.code == .postProcessing)
        #expect(error.message.contains("takes Data") && error.message.contains("Int"))
    }
}
