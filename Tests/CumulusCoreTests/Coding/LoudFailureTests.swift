// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import Testing

/// Failures report the place, the type and the surrounding bytes, and never print a body by accident.
@Suite struct LoudFailureTests {
    struct Post: Codable, Sendable, Equatable { var title: String }

    private func site(_ body: [UInt8], type: String = "application/json", status: HTTPResponse.Status = .ok) -> Resource
    {
        let transport = StubTransport { _ in .response(status, headers: [.contentType: type], body: body) }
        return Resource("http://a.example", transport: transport) { $0.coders.registerFormats() }
    }

    private func site(_ body: String, type: String = "application/json") -> Resource {
        site(Array(body.utf8), type: type)
    }

    private func problem<Value: Decodable & Sendable>(_ site: Resource, _ type: Value.Type) async throws
        -> (CumulusError, DecodingProblem)
    {
        let error = await #expect(throws: CumulusError.self) { _ = try await site.get(as: type) }
        let thrown = try #require(error)
        #expect(thrown.code == .decoding)
        return (thrown, try #require(thrown.cause as? DecodingProblem))
    }

    @Test func aDecodingProblemHasPathTypeAndExcerpt() async throws {
        let (error, problem) = try await problem(site(#"[{"title":"hush"},{"title":7}]"#), [Post].self)
        #expect(problem.codingPath.map(\.stringValue) == ["Index 1", "title"])
        #expect(problem.mediaType == .json)
        #expect(problem.excerpt.revealed.contains("hush"))
        for shown in ["\(error)", "\(problem)", "\(problem.excerpt)", String(reflecting: problem)] {
            #expect(!shown.contains("hush"))
        }
    }

    @Test func aMessageQuotesNoValue() async throws {
        enum Color: String, Decodable, Sendable { case red }
        let (color, _) = try await problem(site(#"["hunter2"]"#), [Color].self)
        #expect(!"\(color)".contains("hunter2"))
        #expect("\(color)".contains("Color"))
        let (number, _) = try await problem(site("[4711]"), [Int8].self)
        #expect(!"\(number)".contains("4711"))
        #expect("\(number)".contains("Int8"))
    }

    @Test func anExcerptIsShortAndAroundTheTrouble() async throws {
        let body = "[" + String(repeating: "\"aaaaaaa\",", count: 1000) + "oops," + String(repeating: "1,", count: 1000)
        let (_, problem) = try await problem(site(body), [String].self)
        #expect(problem.excerpt.revealed.contains("oops"))
        #expect(problem.excerpt.revealed.utf8.count <= 256)
        let binary = try await self.problem(site([UInt8](repeating: 0xFF, count: 5000)), Post.self).1
        #expect(binary.excerpt.revealed.utf8.count <= 256)
    }

    @Test func anEncodingProblemHasPathAndType() async throws {
        struct Measure: Encodable, Sendable {
            var values: [Double]
        }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site("").post(body: Measure(values: [1, .nan]))
        }
        let problem = try #require(error?.cause as? EncodingProblem)
        #expect(error?.code == .encoding)
        #expect(problem.codingPath.map(\.stringValue) == ["values", "Index 1"])
        #expect("\(problem)".contains("values[1]"))
        #expect("\(problem)".contains("Measure"))
    }

    @Test(arguments: ["application/json", "application/xml", "application/x-plist", "image/png"])
    func anEmptyBodyIsNilForAnOptionalAndElseAnError(type: String) async throws {
        let none = try await site([], type: type).get(as: Post?.self)
        #expect(none == nil)
        let tree = try await site([], type: type).get(as: XML?.self)
        #expect(tree == nil)
        let (_, problem) = try await problem(site([], type: type), XML.self)
        #expect("\(problem)".contains("the body is empty"))
    }

    @Test func noContentIsNilForAnOptional() async throws {
        #expect(try await site([], status: .noContent).get(as: Post?.self) == nil)
        #expect(try await site([], status: .noContent).get(as: String?.self) == nil)
        #expect(try await site([]).get().decode(as: Post?.self) == nil)
        #expect(try await site("").get(as: String.self) == "", "no text is a text")
    }

    @Test func anOptionalIsDecodedLikeItsType() async throws {
        #expect(try await site(#"{"title":"x"}"#).get(as: Post?.self) == Post(title: "x"))
        #expect(try await site("null").get(as: Post?.self) == nil)
        for blank in [" ", "\n", "\r\n\t "] {
            #expect(try await site(blank).get(as: Post?.self) == nil)
            #expect(try await site(blank, type: "text/plain").get(as: String?.self) == blank)
            await #expect(throws: CumulusError.self) { try await site(blank).get(as: Post.self) }
        }
        #expect(try await site("text", type: "text/plain").get(as: String?.self) == "text")
        #expect(try await site("<a/>", type: "text/xml").get(as: XML?.self) == XML("a"))
        #expect(try await site("null").get(as: JSON?.self) == .null)
    }

    @Test func aTruncatedBodyIsRefusedAtEveryByte() async throws {
        let body = Array(#"{"title":"Grüße \u00e9","n":[1,2.5e3,true,null]}"#.utf8)
        for length in 1..<body.count {
            let response = try await site(Array(body[..<length])).get()
            #expect(throws: CumulusError.self) { try response.json() }
            #expect(throws: CumulusError.self) { try response.content }
        }
    }
}
