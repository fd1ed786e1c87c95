// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusNIO
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

/// A session with httpbin and nginx, recorded and replayed.
@Suite(
    .enabled(if: InteropServers.httpbin != nil && InteropServers.nginx != nil, "\(InteropServers.reason)"),
    .timeLimit(.minutes(5))
)
struct RecordingTests {
    /// One request, with the server that gets it.
    private struct Request: Sendable {
        var server: String
        var path: String
        var method = HTTPRequest.Method.get
        var query: Query = [:]
        var headers: Headers = [:]
        var body = Payload.none
    }

    /// The secret of a request, in its fields, query and body; the servers send it back.
    private static func secret(_ number: Int) -> String { "Hunter\(number)x" }

    private static func requests(_ httpbin: String, _ nginx: String) -> [Request] {
        var requests: [Request] = []
        for number in 0..<20 {
            requests += [
                "json", "gzip", "deflate", "brotli", "image/png", "image/svg", "stream/3", "redirect/2", "xml", "html",
                "robots.txt", "encoding/utf8", "uuid", "status/404", "bytes/\(number * 50_000)",
            ].map { Request(server: httpbin, path: $0) }
        }
        // More than 300 with these.
        for range in ["bytes=0-99", "bytes=100-5000", "bytes=-1"] {
            requests.append(Request(server: nginx, path: "big.bin", headers: [.range: range]))
        }
        requests += ["hello.txt", "data.json", "empty.txt", "missing"].map { Request(server: nginx, path: $0) }
        requests.append(Request(server: nginx, path: "big.bin", method: .head))
        requests.append(Request(server: httpbin, path: "anything", method: .post, body: .json(["n": [1, 2.5, nil]])))
        return requests
    }

    private static func secretRequests(_ httpbin: String) -> [Request] {
        (0..<20).map { number in
            let secret = secret(number)
            return Request(
                server: httpbin,
                path: "anything",
                method: .post,
                query: ["access_token": secret],
                headers: [.authorization: "Bearer \(secret)", "X-Api-Key": secret, .cookie: "sid=\(secret)"],
                body: number % 2 == 0 ? .json(["password": .string(secret)]) : .form(["password": secret])
            )
        }
    }

    private static func send(_ request: Request, over transport: any Transport) async throws -> Response {
        let site = Resource(request.server, transport: transport) {
            $0.retry = .never
            $0.contentCodings = [.brotli, .zstd, .gzip, .deflate]
        }
        return try await site[path: "/\(request.path)"].call(
            request.method,
            request.body,
            query: request.query,
            headers: request.headers
        ).send()
    }

    @Test("300 requests replay with the same decoded bytes, and no secret is in the file") func session() async throws {
        let httpbin = try #require(InteropServers.httpbin)
        let nginx = try #require(InteropServers.nginx)
        let folder = NSTemporaryDirectory() + "cumulus-recording-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/session.har"
        var options = RecordingOptions()
        options.contentCodings = [.brotli, .zstd, .gzip, .deflate]
        options.includesUnsearchableBodies = true
        let (requests, secrets) = (Self.requests(httpbin, nginx), Self.secretRequests(httpbin))
        #expect(requests.count > 300)
        let network = NIOTransport()
        let recording = RecordingTransport(to: file, over: network, options: options)
        var recorded: [Response] = []
        for request in requests { recorded.append(try await Self.send(request, over: recording)) }
        for request in secrets {
            let response = try await Self.send(request, over: recording)
            #expect(response.text?.contains("Hunter") == true)
        }
        await network.shutdown(.immediate)
        let replay = RecordingTransport(from: file, options: options)
        for (request, response) in zip(requests, recorded) {
            let again = try await Self.send(request, over: replay)
            #expect(again.status == response.status, "\(request.path)")
            #expect(again.bytes == response.bytes, "\(request.path)")
            #expect(again.mediaType == response.mediaType, "\(request.path)")
        }
        for request in secrets {
            let response = try await Self.send(request, over: replay)
            #expect(response.text?.contains("redacted") == true)
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            #expect(bytes.range(of: Data("Hunter".utf8)) == nil, "\(name)")
        }
    }
}
