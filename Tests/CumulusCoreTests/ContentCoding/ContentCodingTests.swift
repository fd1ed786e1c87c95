// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Content codings, decoded as the body is read.
@Suite struct ContentCodingTests {
    private func site(
        _ chunks: [[UInt8]],
        _ coding: String,
        status: HTTPResponse.Status = .ok,
        more: HTTPFields = [:]
    ) -> Resource {
        let headers: HTTPFields = [.contentEncoding: coding, .contentType: "application/json"]
        let transport = StubTransport { _ in
            .script(chunks.map { .chunk($0) }, status: status, headers: Headers(headers + more))
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    private func failure(_ body: [UInt8], _ coding: String) async throws -> CumulusError {
        let site = site(body.isEmpty ? [] : [body], coding)
        return try await TestSupport.failure { try await site.get() }
    }

    static let samples: [(String, [UInt8])] = [
        ("gzip", CodedSample.gzip), ("x-gzip", CodedSample.gzip), ("GZIP", CodedSample.gzip),
        ("deflate", CodedSample.zlib), ("deflate", CodedSample.raw), ("gzip", CodedSample.members),
        ("gzip, deflate", CodedSample.gzipInZlib), (" gzip ,identity,, deflate", CodedSample.gzipInZlib),
        ("gzip, gzip, x-gzip, gzip, gzip", CodedSample.fiveTimes),
    ]

    @Test("Every split of an encoded body yields the same bytes", arguments: samples)
    func everySplitGivesTheSameBytes(coding: String, body: [UInt8]) async throws {
        for split in 0...body.count {
            let pieces = [Array(body[..<split]), Array(body[split...])].filter { !$0.isEmpty }
            let response = try await site(pieces, coding).get()
            try #require(response.text == CodedSample.text, "split at \(split)")
        }
        let response = try await site(body.map { [$0] }, coding).get()
        #expect(response.text == CodedSample.text)
    }

    @Test("A body truncated anywhere is an error", arguments: samples.filter { $0.1 != CodedSample.members })
    func truncationIsAnError(coding: String, body: [UInt8]) async throws {
        for length in 1..<body.count {
            let error = try await failure(Array(body[..<length]), coding)
            try #require(error.code == .contentCoding, "cut at \(length)")
            #expect(error.stage == .delivery)
        }
    }

    @Test func aMemberCutShortIsAnError() async throws {
        let first = CodedSample.members.count - 10
        let error = try await failure(Array(CodedSample.members[..<first]), "gzip")
        #expect("\(error)".contains("truncated"))
    }

    @Test("A changed byte of data, checksum or length is an error")
    func corruptionIsAnError() async throws {
        // The header's flags, time and system don't matter.
        for index in [0, 1, 2] + Array(10..<CodedSample.gzip.count) {
            var body = CodedSample.gzip
            body[index] ^= 0x55
            let error = try await failure(body, "gzip")
            try #require(error.code == .contentCoding, "byte \(index)")
        }
        var body = CodedSample.zlib
        body[body.count - 1] ^= 1
        #expect("\(try await failure(body, "deflate"))".contains("incorrect data check"))
    }

    @Test func anEmptyBodyStaysEmpty() async throws {
        #expect(try await site([], "gzip").get().bytes.isEmpty)
        #expect(try await site([], "deflate").get().bytes.isEmpty)
    }

    @Test("Bytes after the encoded body are ignored, up to a limit")
    func paddingIsIgnored() async throws {
        for (coding, body) in [("gzip", CodedSample.gzip), ("deflate", CodedSample.zlib)] {
            for padding in [[0], [UInt8](repeating: 0, count: 512), Array("junk".utf8)] {
                #expect(try await site([body + padding], coding).get().text == CodedSample.text)
            }
            let error = try await failure(body + [UInt8](repeating: 0, count: 70_000), coding)
            #expect("\(error)".contains("follow the end"))
        }
    }

    @Test("more than five codings are refused, in any number of fields")
    func sixCodingsAreRefused() async throws {
        let error = try await failure(CodedSample.sixTimes, "gzip, gzip, gzip, gzip, gzip, gzip")
        #expect(error.code == .contentCoding)
        var fields: HTTPFields = [:]
        for _ in 0..<6 { fields.append(HTTPField(name: .contentEncoding, value: "gzip")) }
        let transport = StubTransport { [fields] _ in .response(headers: Headers(fields), body: CodedSample.sixTimes) }
        let apart = try await TestSupport.failure {
            try await Resource("http://a.example", transport: transport.watched).get()
        }
        #expect("\(apart)".contains("6 content codings"))
        #expect(transport.cancelledBodies == 1)
    }

    @Test("a body with an unknown coding is delivered as it is, and no value is made of it")
    func unknownCodings() async throws {
        let marked = try await site([[1, 2, 3]], "br").get()
        #expect(marked.bytes.bytes == [1, 2, 3] && marked.headers[.contentEncoding] == "br")
        let problem = marked.contentCodingProblem?.description
        #expect(problem?.contains("\"br\"") == true)
        for body in [[0x22, 0x22], [1, 2, 3]] as [[UInt8]] {
            let errors = [
                try await TestSupport.failure { try await site([body], "br").get(as: String.self) },
                try await TestSupport.failure { try await site([body], "br").get().json() },
                try await TestSupport.failure { try await site([body], "br").get().text(as: "utf-8") },
                try await TestSupport.failure {
                    for try await _ in try await site([body], "br").call(.get).stream().lines {}
                },
                try await TestSupport.failure {
                    for try await _ in try await site([body], "br").call(.get).stream().jsonLines(as: JSON.self) {}
                },
                try await TestSupport.failure { try await site([body], "br").call(.get).stream().parts() },
            ]
            for error in errors {
                #expect(error.code == .contentCoding && error.stage == .decoding)
                #expect("\(error)".contains("the content coding \"br\""))
            }
        }
        let stream = try await site([[1], [2, 3]], "br").call(.get).stream()
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(bytes == [1, 2, 3] && stream.contentCodingProblem != nil)
    }

    @Test("a coding that the caller requested is not marked") func requestedCodings() async throws {
        let response = try await site([[1, 2, 3]], "br").get(headers: [.acceptEncoding: "gzip;q=0.5, br;q=1"])
        #expect(response.bytes.bytes == [1, 2, 3])
        #expect(response.headers[.contentEncoding] == "br" && response.contentCodingProblem == nil)
    }

    @Test(
        "an upload's framing, whose name an object store kept, is not a coding",
        arguments: ["aws-chunked", "AWS-Chunked,gzip"]
    )
    func uploadFraming(name: String) async throws {
        let isCoded = name.contains("gzip")
        let body = isCoded ? CodedSample.gzip : Array(#"{"poem":"the clouds"}"#.utf8)
        let response = try await site([body], name).get()
        #expect(try response.json()["poem"].string?.hasPrefix("the clouds") == true)
    }

    @Test("any coding can be asked for, and is then left as it is", arguments: ["x-secret", "*", "gzip, *;q=0.1"])
    func anyCoding(asked: String) async throws {
        let response = try await site([[1, 2, 3]], "x-secret").get(headers: [.acceptEncoding: asked])
        #expect(response.bytes.bytes == [1, 2, 3])
        #expect(response.headers[.contentEncoding] == "x-secret")
    }

    @Test func theHeadIsThatOfTheDecodedBody() async throws {
        let length: HTTPFields = [.contentLength: "\(CodedSample.gzip.count)", .eTag: "\"1\""]
        let response = try await site([CodedSample.gzip], "gzip", more: length).get()
        #expect(response.headers[.contentEncoding] == nil && response.headers[.contentLength] == nil)
        #expect(response.etag == "\"1\"")
        #expect(response.expectedContentLength == nil && response.isComplete)
        #expect(response.receivedHeaders[.contentEncoding] == "gzip")
        #expect(response.receivedHeaders[.contentLength] == "\(CodedSample.gzip.count)")
        #expect(try response.json()["poem"].string?.hasPrefix("the clouds") == true)
    }

    @Test func streamsAreDecodedToo() async throws {
        let stream = try await site(CodedSample.gzip.map { [$0] }, "gzip").call(.get).stream()
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(String(decoding: bytes, as: UTF8.self) == CodedSample.text)
        #expect(stream.expectedLength == nil && stream.end != nil)
        let broken = try await site([Array(CodedSample.gzip.dropLast())], "gzip").call(.get).stream()
        let error = try await TestSupport.failure { for try await _ in broken {} }
        #expect(error.code == .contentCoding)
    }

    @Test("Errors in bodies are read after decoding")
    func errorBodiesAreDecoded() async throws {
        let response = try await site([CodedSample.gzip], "gzip", status: .badRequest).get()
        #expect(response.text == CodedSample.text)
    }

    @Test(arguments: [204, 206, 304]) func statusesWithoutAWholeBodyAreLeftAlone(code: Int) async throws {
        let response = try await site([CodedSample.gzip], "gzip", status: .init(code: code)).get()
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.bytes.bytes == (code == 206 ? CodedSample.gzip : []))
    }

    @Test func headsAreLeftAlone() async throws {
        let response = try await site([], "gzip", more: [.contentLength: "70"]).head()
        #expect(response.headers[.contentEncoding] == "gzip" && response.expectedContentLength == 70)
    }
}
