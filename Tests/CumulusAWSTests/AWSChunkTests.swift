// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusAWS

/// Payloads in signed chunks: the examples in S3's documentation, and every chunk boundary.
@Suite struct AWSChunkTests {
    private static let day = Date(timeIntervalSince1970: 1_369_353_600)
    private let credentials = AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    )

    private var signer: AWSSigner {
        let scope = AWSScope(day: "20130524", region: "us-east-1", service: "s3")
        return AWSSigner(
            credentials,
            at: AWSTimestamp(Self.day),
            AWSSigningKey(credentials.secretAccessKey, scope)
        )
    }

    private func signatures(_ frames: [[UInt8]]) -> [String] {
        frames.compactMap { frame in
            let text = String(decoding: frame.prefix(200), as: UTF8.self)
            return text.place(of: "signature=").map { String(text[$0.upperBound...].prefix(64)) }
        }
    }

    private func frames(seed: String, trailer: AWSTrailingChecksum?) -> [[UInt8]] {
        var chunks = AWSChunkSigner(signer, seed: seed, trailer: trailer)
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
        let first = bytes.withUnsafeBytes { chunks.chunk($0) }
        let second = bytes.prefix(1_024).withUnsafeBytes { chunks.chunk($0) }
        return [first, second, chunks.end()]
    }

    @Test("the documented example: 65 KiB in two chunks")
    func chunks() {
        let frames = frames(seed: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9", trailer: nil)
        #expect(
            signatures(frames) == [
                "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
                "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
                "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
            ]
        )
        #expect(frames.reduce(0) { $0 + $1.count } == 66_824)
        #expect(AWSChunkSigner.length(of: 66_560, size: 65_536, trailer: nil) == 66_824)
    }

    @Test("the documented example with a checksum after the chunks")
    func trailer() throws {
        let frames = frames(seed: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e", trailer: .crc32c)
        #expect(
            signatures(frames) == [
                "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
                "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
                "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
            ]
        )
        let end = String(decoding: try #require(frames.last), as: UTF8.self)
        #expect(
            end.hasSuffix(
                "\r\nx-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:"
                    + "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n"
            )
        )
        #expect(
            AWSChunkSigner.length(of: 66_560, size: 65_536, trailer: .crc32c)
                == Int64(frames.reduce(0) { $0 + $1.count })
        )
    }

    @Test("the head of the documented example: decoded length, coding, and the seed signature")
    func head() async throws {
        let keys = AWSCredentialSource.keys(id: credentials.accessKeyID, secret: credentials.secretAccessKey)
        let authorizer = AWSAuthorizer(keys, region: "us-east-1", service: "s3", payload: .chunks()) { Self.day }
        var request = EncodedRequest(
            method: .put,
            url: try RequestURL("https://s3.amazonaws.com/examplebucket/chunkObject.txt"),
            body: .bytes(ByteChunk([UInt8](repeating: UInt8(ascii: "a"), count: 66_560)))
        )
        request.set(HTTPField.Name("x-amz-storage-class"), to: "REDUCED_REDUNDANCY")
        // The example covers Content-Length, which transports add.
        request.set(.contentLength, to: "66824")
        try await authorizer.authorize(&request)
        #expect(request.headers[.contentEncoding] == "aws-chunked")
        #expect(request.headers["X-Amz-Decoded-Content-Length"] == "66560")
        let value = try #require(request.headers[.authorization])
        #expect(value.hasSuffix("4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"))
        #expect(request.body.length == AWSChunkSigner.length(of: 66_560, trailer: nil))
    }

    /// The body that a transport would send.
    private func sent(_ body: RequestBody) async throws -> [UInt8] {
        let all = Mutex<[UInt8]>([])
        try await body.read { chunk in all.withLock { $0 += chunk.bytes } }
        return all.withLock(\.self)
    }

    private struct Changed: Error {}

    @Test("a payload that fails says so itself, in chunks as without them")
    func failing() async throws {
        let source = StreamBody(length: 3, replay: .restartable) { _, _ in throw Changed() }
        let body = AWSChunkedBody.body(of: .stream(source), length: 3, signer, seed: "00", trailer: nil)
        let failure = await #expect(throws: TransportFailure.self) { try await sent(.stream(try #require(body))) }
        #expect(failure?.kind == .requestBody && failure?.cause is Changed)
    }

    @Test("chunks have one size however the bytes arrive, and announce their actual length")
    func regrouping() async throws {
        let size = AWSChunkSigner.size
        for total in [0, 1, size - 1, size, size + 1, 3 * size, 3 * size + 77] {
            let bytes = (0..<total).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            var results: Set<[UInt8]> = []
            for step in [1 + total, 4_099, size, size * 2 + 5] {
                let source = StreamBody(length: Int64(total), replay: .restartable) { _, writer in
                    for start in stride(from: 0, to: total, by: step) {
                        try await writer.write(ByteChunk(Array(bytes[start..<min(start + step, total)])))
                    }
                }
                let body = AWSChunkedBody.body(
                    of: .stream(source),
                    length: Int64(total),
                    signer,
                    seed: "00",
                    trailer: .sha256
                )
                let framed = RequestBody.stream(try #require(body))
                let result = try await sent(framed)
                #expect(Int64(result.count) == framed.length)
                #expect(try await sent(framed) == result, "it can be sent again")
                results.insert(result)
            }
            #expect(results.count == 1)
        }
    }

    @Test func lengthsBeyondAllNumbersAreRefused() {
        #expect(AWSChunkSigner.length(of: .max, trailer: nil) == nil)
        #expect(AWSChunkSigner.length(of: .max - 100, trailer: .crc32) == nil)
        #expect(AWSChunkSigner.length(of: -1, trailer: nil) == nil)
    }

    private func authorized(_ body: RequestBody, service: String, _ payload: AWSPayload = .automatic) async throws
        -> EncodedRequest
    {
        let keys = AWSCredentialSource.keys(id: "AKID", secret: "secret")
        let authorizer = AWSAuthorizer(keys, region: "eu-west-1", service: service, payload: payload) { Self.day }
        var request = EncodedRequest(method: .put, url: try RequestURL("https://a.example/b"), body: body)
        try await authorizer.authorize(&request)
        return request
    }

    @Test func aStreamWithoutALengthIsRefusedByName() async throws {
        await #expect {
            _ = try await authorized(.stream(StreamBody { _, _ in }), service: "s3")
        } throws: {
            "\($0)".contains("length")
        }
    }

    @Test func aStreamThatWasSentIsNotBegunAgain() async throws {
        let stream = StreamBody(length: 1) { _, writer in try await writer.write(ByteChunk("a")) }
        let request = try await authorized(.stream(stream), service: "s3")
        _ = try await sent(request.body)
        #expect(!request.body.canBeSent)
        await #expect(throws: BodyAlreadySent.self) { _ = try await authorized(.stream(stream), service: "s3") }
    }

    @Test("for other services than S3, a stream is read for its digest, if it can be read again")
    func digestsOfStreams() async throws {
        let again = StreamBody(length: 3, replay: .restartable) { _, writer in try await writer.write(ByteChunk("abc"))
        }
        let streamed = try await authorized(.stream(again), service: "sns", .digest).headers[.authorization]
        #expect(streamed == (try await authorized(.bytes(ByteChunk("abc")), service: "sns").headers[.authorization]))
        await #expect(throws: AuthorizationProblem.self) {
            _ = try await authorized(.stream(StreamBody(length: 3) { _, _ in }), service: "sns")
        }
        await #expect(throws: AuthorizationProblem.self) {
            _ = try await authorized(.bytes(ByteChunk("abc")), service: "sns", .chunks())
        }
    }
}
