// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusFormats
import Foundation
import HTTPTypes
import Testing

@testable import GuideSnippets

/// S3 as implemented by moto, which verifies each signature with botocore.
@Suite(.serialized, .enabled(if: InteropServers.store != nil, "\(InteropServers.reason)"))
struct ObjectStoreTests {
    private func store(
        _ transport: InteropTransport,
        secret: String? = InteropServers.storeSecret,
        payload: AWSPayload = .automatic
    ) throws -> Resource {
        let store = try transport.resource(InteropServers.store)
        let keys = AWSCredentialSource.keys(id: InteropServers.storeKey ?? "", secret: Secret(secret ?? ""))
        store.setRules {
            $0.authorizers = [.aws(keys, region: "us-east-1", service: "s3", payload: payload)]
            $0.errorDecoders = [.aws]
            $0.coders.registerFormats()
        }
        return store
    }

    private func withBucket(
        _ transport: InteropTransport,
        payload: AWSPayload = .automatic,
        _ body: (Resource) async throws -> Void
    ) async throws {
        let bucket = try store(transport, payload: payload)["bucket-\(UUID().uuidString.lowercased())"]
        try await bucket.put().requireSuccess()
        try await body(bucket)
    }

    private func sample(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) })
    }

    private func withFile(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString).bin")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    @Test(arguments: InteropTransport.allCases)
    func objectsComeAndGo(transport: InteropTransport) async throws {
        try await withBucket(transport) { bucket in
            let names = ["plain.txt", "a b/c+d=e&f.txt", "ünï/★.txt", "(x)!*'~.txt"]
            for name in names {
                try await bucket["\(path: name)"].put(.text("hello \(name)")).requireSuccess()
                #expect(try await bucket["\(path: name)"].get(as: String.self) == "hello \(name)")
            }
            let list = try await bucket.get(as: XML.self, query: ["list-type": 2, "prefix": ""])
            #expect(Set(list.elements("Contents").compactMap { $0["Key"]?.text }) == Set(names))
            let some = try await bucket.get(as: XML.self, query: ["list-type": 2, "prefix": "a b/c+"])
            #expect(some.elements("Contents").count == 1)
            for name in names { try await bucket["\(path: name)"].delete().requireSuccess() }
            let error = try await #require(throws: CumulusError.self) {
                _ = try await bucket["plain.txt"].get(as: String.self)
            }
            #expect(error.serviceError(as: AWSError.self)?.code == "NoSuchKey")
        }
    }

    @Test(
        "files are sent in signed chunks, as digests, unsigned, and with a checksum after them",
        arguments: [
            AWSPayload.automatic, .digest, .unsigned, .chunks(), .chunks(checksum: .crc32), .chunks(checksum: .sha256),
        ]
    )
    func payloads(payload: AWSPayload) async throws {
        for transport in InteropTransport.allCases {
            try await withBucket(transport, payload: payload) { bucket in
                let bytes = sample(700_001)
                try await withFile(bytes) { file in
                    try await bucket["file.bin"].call(.put, .file(file)).send().requireSuccess()
                    #expect(try await bucket["file.bin"].get().requireSuccess().bytes.data == bytes)
                }
                try await bucket["bytes.bin"].put(.bytes(bytes)).requireSuccess()
                #expect(try await bucket["bytes.bin"].get().requireSuccess().bytes.data == bytes)
            }
        }
    }

    @Test(arguments: InteropTransport.allCases)
    func aMultipartUploadOf20MB(transport: InteropTransport) async throws {
        let bytes = sample(20_000_003)
        try await withBucket(transport) { bucket in
            try await withFile(bytes) { file in
                let object = bucket["big.bin"]
                // The guide's function.
                try await upload(file, to: object)
                #expect(try await object.get().requireSuccess().bytes.data == bytes)
                try await object.delete().requireSuccess()
            }
        }
    }

    @Test(arguments: InteropTransport.allCases)
    func aWrongSecretIsRefusedByName(transport: InteropTransport) async throws {
        try await withBucket(transport) { bucket in
            let name = try #require(bucket.relativePath)
            let stranger = try store(transport, secret: "wrong")[ResourcePath(stringLiteral: name)]
            let error = try await #require(throws: CumulusError.self) {
                try await stranger["a"].put(.text("x")).requireSuccess()
            }
            #expect(error.code == .service)
            #expect(error.response?.status == .forbidden)
            #expect(error.serviceError(as: AWSError.self)?.code == "SignatureDoesNotMatch")
        }
    }

    @Test(.enabled(if: BuiltCommand.path != nil)) func theCommandSigns() throws {
        let bucket = "\(InteropServers.store ?? "")/bucket-\(UUID().uuidString.lowercased())"
        let key = InteropServers.storeKey ?? ""
        let who = ["-A", "aws4:us-east-1:s3", "-a", "\(key):\(InteropServers.storeSecret ?? "")"]
        #expect(try BuiltCommand.run(who + ["put", bucket]).status == 0)
        #expect(try BuiltCommand.run(who + ["put", "\(bucket)/a b.txt", "--raw", "hello"]).status == 0)
        #expect(try BuiltCommand.run(who + ["\(bucket)/a b.txt"]).output == "hello")
        let wrong = try BuiltCommand.run(["-A", "aws4:us-east-1:s3", "-a", "\(key):wrong", bucket])
        #expect(wrong.status == 4)
    }

    /// botocore's result for a presigned URL; moto itself doesn't verify such signatures.
    private func botocore(_ method: String, _ url: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(InteropServers.python))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/presigned_url.py").path
        process.arguments = [script, method, url, InteropServers.storeKey ?? "", InteropServers.storeSecret ?? ""]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func presignedURLs() async throws {
        try await withBucket(.nio) { bucket in
            let object = bucket["a b/c+d.txt"]
            try await object.put(.text("hello")).requireSuccess()
            for method in [HTTPRequest.Method.get, .put] {
                let url = try await object.presignedURL(method, for: .seconds(300), query: ["response-expires": "x y"])
                let signature = try #require(url.split(separator: "X-Amz-Signature=").last)
                #expect(try botocore(method.rawValue, url) == signature)
            }
            // moto serves such a URL only if it verifies nothing.
            let control = try InteropTransport.nio.resource(InteropServers.store)["moto-api/reset-auth"]
            try await control.post(.text("1000000")).requireSuccess()
            let url = try await object.presignedURL(for: .seconds(300))
            let visitor = try InteropTransport.nio.resource(url)
            let response = try? await visitor.get(as: String.self)
            try await control.post(.text("0")).requireSuccess()
            #expect(response == "hello")
        }
    }
}
