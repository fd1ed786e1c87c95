// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusSignatures
import HTTPTypes
import Measure

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

func benchmarkSigning() async throws {
    let url = try RequestURL("https://photos.s3.eu-central-1.amazonaws.com/2026/cat.png?partNumber=3&uploadId=abc")
    let plain = EncodedRequest(method: .get, url: url, headers: [.accept: "*/*", .userAgent: "benchmark"])
    let small = EncodedRequest(method: .put, url: url, body: .bytes(ByteChunk([UInt8](repeating: 7, count: 1_024))))
    let large = EncodedRequest(method: .put, url: url, body: .bytes(ByteChunk([UInt8](repeating: 7, count: 1 << 20))))
    let aws = AWSAuthorizer(.keys(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"))
    let message = BoundAuthorizer.messageSignature(.hmac("secret"), keyID: "atlas").authorizer
    let measure = Measure()
    func sign(_ name: String, _ request: EncodedRequest, by authorizer: some Authorizer, times: Int) async throws {
        try await measure.run(name, times: times) {
            var signed = request
            try await authorizer.authorize(&signed)
            consume(signed)
        }
    }
    try await sign("AWS version 4, a GET", plain, by: aws, times: 20_000)
    try await sign("AWS version 4, a PUT of 1 KiB", small, by: aws, times: 20_000)
    try await sign("AWS version 4, a PUT of 1 MiB", large, by: aws, times: 200)
    try await measure.run("AWS version 4, a presigned URL", times: 20_000) {
        consume(try await aws.presign(url, for: .seconds(900)))
    }
    try await sign("RFC 9421 with HMAC, a GET", plain, by: message, times: 20_000)
    try await sign("RFC 9421 with HMAC, a PUT of 1 KiB", small, by: message, times: 20_000)
}

try await benchmarkSigning()
