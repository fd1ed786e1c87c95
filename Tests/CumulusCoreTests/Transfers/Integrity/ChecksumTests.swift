// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// Digests: their values, their notations, and the fields that declare them.
@Suite(.serialized) struct ChecksumTests {
    private static let digits = "123456789"

    @Test(
        "Each algorithm's digest of \"123456789\", as a whole and in pieces",
        arguments: [
            ("crc32", "cbf43926"), ("crc32c", "e3069283"), ("md5", "25f9e794323b453885f5181f1b624d0b"),
            ("sha1", "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
            ("sha256", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"),
            (
                "sha384",
                "eb455d56d2c1a69de64e832011f3393d45f3fa31d6842f21af92d2fe469c499d"
                    + "a5e3179847334a18479c8d1dedea1be3"
            ),
            (
                "sha512",
                "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a"
                    + "d27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85"
            ),
        ]
    )
    func vectors(name: String, expected: String) throws {
        let algorithm = try #require(Checksum.Algorithm(name: name))
        for size in 1...9 {
            var digest = RunningDigest([algorithm, .sha512])
            let bytes = Array(ChecksumTests.digits.utf8)
            for start in stride(from: 0, to: 9, by: size) {
                bytes[start..<min(start + size, 9)].withUnsafeBytes { digest.update($0) }
            }
            #expect(digest.checksum(algorithm)?.hexadecimal == expected)
            #expect(digest.count == 9)
        }
    }

    @Test func theLongAlgorithmsHaveTheirLengths() {
        let digest = RunningDigest(Checksum.Algorithm.allCases)
        for algorithm in Checksum.Algorithm.allCases {
            #expect(digest.checksum(algorithm)?.bytes.count == algorithm.length)
        }
    }

    @Test func castagnolisCheckIsTheSameAtEachAlignment() {
        let bytes = RemoteFile.content(1000)
        var whole = RunningDigest([.crc32c])
        bytes.withUnsafeBytes { whole.update($0) }
        for split in [1, 7, 8, 9, 511, 999] {
            var parts = RunningDigest([.crc32c])
            bytes.withUnsafeBytes { all in
                parts.update(UnsafeRawBufferPointer(rebasing: all[..<split]))
                parts.update(UnsafeRawBufferPointer(rebasing: all[split...]))
            }
            #expect(parts.checksum(.crc32c) == whole.checksum(.crc32c))
        }
    }

    @Test(
        "A checksum is parsed in hexadecimal and in Base64, with its algorithm's name",
        arguments: [
            "md5:25f9e794323b453885f5181f1b624d0b", "MD5:25F9E794323B453885F5181F1B624D0B",
            "md5:JfnnlDI7RTiF9RgfG2JNCw==",
            "md5:JfnnlDI7RTiF9RgfG2JNCw",
        ]
    )
    func reading(text: String) throws {
        #expect(try Checksum(parsing: text).description == "md5:25f9e794323b453885f5181f1b624d0b")
    }

    @Test(
        "An invalid checksum is refused with the reason",
        arguments: [
            ("25f9e794", "sha256:DIGITS"), ("rot13:00", "is unknown; use one of"), ("md5:25f9", "not a md5 digest"),
            ("md5:", "not a md5 digest"), ("md5:zzf9e794323b453885f5181f1b624d0b", "not a md5 digest"),
            ("sha256:25f9e794323b453885f5181f1b624d0b", "not a sha256 digest"),
        ]
    )
    func refusing(text: String, reason: String) throws {
        let error = #expect(throws: CumulusError.self) { try Checksum(parsing: text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "")")
    }

    private static let sha = "sha-256=:FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=:"

    @Test(
        "The digests that fields declare for the whole and for a part",
        arguments: [
            (["Repr-Digest": sha], ["sha256"], []),
            (["Content-Digest": sha], ["sha256"], ["sha256"]),
            (["Repr-Digest": "md5=:JfnnlDI7RTiF9RgfG2JNCw==:, \(sha)"], ["sha256"], []),
            (["Repr-Digest": "unixsum=:AAAA:"], [], []),
            (["Repr-Digest": "sha-256=:AAAA:"], [], []),
            (["Repr-Digest": "sha-256=AAAA"], [], []),
            (["Content-MD5": "JfnnlDI7RTiF9RgfG2JNCw=="], ["md5"], []),
            (["Content-MD5": "garbage"], [], []),
            (["x-amz-checksum-crc32": "y/Q5Jg=="], ["crc32"], []),
            (["x-amz-checksum-crc32c": "4waSgw=="], ["crc32c"], []),
            (["x-amz-checksum-crc32": "y/Q5Jg==-3"], [], []),
            (["x-amz-checksum-crc32": "y/Q5Jg==", "x-amz-checksum-type": "COMPOSITE"], [], []),
            (["x-goog-hash": "crc32c=4waSgw==, md5=JfnnlDI7RTiF9RgfG2JNCw=="], ["crc32c", "md5"], []),
            (["x-goog-hash": "crc32c=4waSgw==", "x-goog-stored-content-encoding": "gzip"], [], []),
        ] as [([String: String], [String], [String])]
    )
    func fields(fields: [String: String], whole: [String], part: [String]) {
        var headers: HTTPFields = [:]
        for (name, value) in fields { if let name = HTTPField.Name(name) { headers[name] = value } }
        let named = DeclaredChecksums(headers, isPart: false).items.map(\.checksum.algorithm.rawValue)
        #expect(named == whole)
        #expect(DeclaredChecksums(headers, isPart: true).items.map(\.checksum.algorithm.rawValue) == part)
    }

    @Test(arguments: Checksum.Algorithm.allCases)
    func ofABodyBeforeItIsSent(_ algorithm: Checksum.Algorithm) async throws {
        let pieces = StreamBody(replay: .restartable) { _, writer in
            try await writer.write(ByteChunk("1234"))
            try await writer.write(ByteChunk("56789"))
        }
        let whole = try await RequestBody.bytes(ByteChunk("123456789")).checksum(algorithm)
        #expect(try await RequestBody.stream(pieces).checksum(algorithm) == whole)
        #expect(whole.bytes.count == algorithm.length)
        if algorithm == .crc32 { #expect(whole.hexadecimal == "cbf43926") }
        #expect(try await RequestBody.none.checksum(.md5).hexadecimal == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test func ofABodyThatCanBeProducedOnlyOnce() async {
        let once = RequestBody.stream(StreamBody(replay: .once) { _, writer in try await writer.write(ByteChunk("a")) })
        let problem = await #expect(throws: AuthorizationProblem.self) { try await once.checksum(.sha256) }
        #expect(problem?.description.contains("only once") == true)
    }
}
