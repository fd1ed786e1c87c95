// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Testing

/// Multipart bodies, parsed by httpbin (Werkzeug), python-multipart and nginx's byte ranges.
@Suite(.enabled(if: InteropServers.httpbin != nil, "\(InteropServers.reason)"))
struct MultipartTests {
    /// A file of bytes that include every delimiter.
    private final class Sample {
        let url: URL
        let bytes: [UInt8]

        init(_ count: Int, named name: String) throws {
            var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) }
            bytes += Array("\r\n--cumulus\r\n--\r\n\r\n--cumulus--\r\n".utf8)
            self.bytes = bytes
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            url = folder.appendingPathComponent(name)
            try Data(bytes).write(to: url)
        }

        deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

        var path: String { url.path }
    }

    @Test(arguments: InteropTransport.allCases)
    func httpbinReadsTwoFilesAndAField(transport: InteropTransport) async throws {
        let first = try Sample(0, named: "größe-日本.txt")
        let form: MultipartForm = [
            "naïve": "Größe ✓", "one": .file(first.path), "two": .bytes([1, 2, 255], fileName: "b.bin"),
            "json": .json(["a": [1, 2]]),
        ]
        let json = try await transport.resource(InteropServers.httpbin)["post"].post(.multipart(form), as: JSON.self)
        #expect(json["form"]["naïve"].string == "Größe ✓")
        #expect(json["files"]["one"].string == String(decoding: first.bytes, as: UTF8.self))
        #expect(json["files"]["two"].string?.hasSuffix("AQL/") == true)
        #expect(json["form"]["json"].string == "{\"a\":[1,2]}")
        #expect(json["headers"]["Content-Type"].string?.hasPrefix("multipart/form-data; boundary=cumulus-") == true)
    }

    private func fields(_ form: MultipartForm, _ transport: InteropTransport) async throws -> JSON {
        try await transport.resource(InteropServers.multipart)["up"].post(.multipart(form), as: JSON.self)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(.enabled(if: InteropServers.multipart != nil), arguments: InteropTransport.allCases)
    func pythonMultipartReadsEveryByte(transport: InteropTransport) async throws {
        let first = try Sample(2_000, named: "größe \"日本\".png")
        let form: MultipartForm = [
            "a \"quoted\"\r\nname": .file(first.path), "empty": "", "": "nameless", "back\\slash": "x",
            "two": .bytes(first.bytes, fileName: "b\\", type: "text/x"),
        ]
        let response = try await fields(form, transport)
        #expect(response["framing"] == "length")
        let read = response["fields"].array ?? []
        #expect(read.map { $0["name"].string } == ["a %22quoted%22%0D%0Aname", "empty", "", "back\\slash", "two"])
        #expect(read.map { $0["filename"].string } == ["größe %22日本%22.png", nil, nil, nil, "b\\"])
        #expect(read.map { $0["type"].string } == ["image/png", "", "", "", "text/x"])
        let contents = [first.bytes, [], Array("nameless".utf8), Array("x".utf8), first.bytes]
        #expect(read.map { $0["hex"].string } == contents.map(Self.hex))
    }

    @Test(.enabled(if: InteropServers.multipart != nil), arguments: InteropTransport.allCases)
    func aLargeFileAndAStreamArriveWhole(transport: InteropTransport) async throws {
        let file = try Sample(20 << 20, named: "large.bin")
        let chunks = AsyncStream<[UInt8]> { continuation in
            for start in stride(from: 0, to: file.bytes.count, by: 100_003) {
                continuation.yield(Array(file.bytes[start..<min(start + 100_003, file.bytes.count)]))
            }
            continuation.finish()
        }
        let response = try await fields(["file": .file(file.path), "stream": .stream(chunks)], transport)
        // URLSession first writes a body of unknown length to disk.
        #expect(response["framing"].string == (transport == .nio ? "chunked" : "length"))
        let read = response["fields"].array ?? []
        #expect(read.map { $0["size"].int } == [file.bytes.count, file.bytes.count])
        let sums = read.map { $0["sha256"].string }
        // The same bytes from memory, in one piece, are the reference.
        let whole = try await fields(["w": .bytes(file.bytes)], transport)
        #expect(sums == [whole["fields"][0]["sha256"].string, whole["fields"][0]["sha256"].string])
        #expect(whole["framing"] == "length")
    }

    @Test(.enabled(if: InteropServers.nginx != nil), arguments: InteropTransport.allCases)
    func byteRangesOfNginxAreRead(transport: InteropTransport) async throws {
        let file = try transport.resource(InteropServers.nginx)["big.bin"]
        let ranges = "bytes=8-15,67108856-67108863"
        let response = try await file.call(.get, headers: ["Range": ranges]).send()
        #expect(response.status == .partialContent)
        let parts = try response.parts()
        #expect(parts.map { $0.contentRange?.range } == [8...15, 67_108_856...67_108_863])
        #expect(parts.map(\.bytes.bytes) == [[0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF]])
        var count = 0
        for try await part in try await file.call(.get, headers: ["Range": ranges]).stream().parts() {
            for try await chunk in part { count += chunk.count }
        }
        #expect(count == 16)
    }
}
