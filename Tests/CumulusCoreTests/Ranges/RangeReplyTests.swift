// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Whatever a server answers to a request for a range: the right bytes, or an error and no file.
@Suite(.timeLimit(.minutes(10))) struct RangeReplyTests {
    private func site(_ server: RangeReplyServer, chunkSize: Int64 = 1 << 20) -> Resource {
        Resource("http://a.example/data.bin", transport: server.transport.watched) {
            $0.clock = HastyClock()
            $0.chunks.size = chunkSize
        }
    }

    @Test("a body in memory that breaks off has the right bytes, or is an error", arguments: RangeReply.allCases)
    func memory(reply: RangeReply) async throws {
        let server = RangeReplyServer(reply)
        do {
            let response = try await site(server).get()
            #expect(response.bytes.bytes == server.bytes)
        } catch let error as CumulusError {
            #expect(!reply.isRight, "\(error)")
        }
        if reply == .part || reply == .partOK { #expect(server.ranges == [nil, "bytes=70000-"]) }
    }

    @Test("a streamed body that breaks off has the right bytes, or is an error", arguments: RangeReply.allCases)
    func stream(reply: RangeReply) async throws {
        let server = RangeReplyServer(reply)
        let stream = try await site(server).call(.get).stream()
        var bytes: [UInt8] = []
        do {
            for try await chunk in stream { bytes += chunk.bytes }
            #expect(bytes == server.bytes)
        } catch let error as CumulusError {
            #expect(![.part, .partOK].contains(reply), "\(error)")
            #expect(server.bytes.starts(with: bytes))
        }
    }

    enum Download: CaseIterable { case file, segments, continued, range }

    @Test(
        "a download has the right bytes, or is an error and leaves no file",
        arguments: RangeReply.allCases,
        Download.allCases
    )
    func downloads(reply: RangeReply, download: Download) async throws {
        let server = RangeReplyServer(reply, breaks: download != .range)
        let site = site(server, chunkSize: download == .segments ? 10_000 : 1 << 20)
        let folder = try TemporaryFolder()
        let path = folder.path + "/data.bin"
        var options = DownloadOptions(resume: download == .continued)
        if download == .segments { options.connections = 4 }
        if download == .range { options.range = 100..<1000 }
        if download == .continued {
            let once = site.with { $0.retry = .never }
            _ = try await failure { try await once.download(to: .file(path), options: options) }
        }
        do {
            let file = try await site.download(to: .file(path), options: options)
            let expected = download == .range ? Array(server.bytes[100..<1000]) : server.bytes
            #expect(FileManager.default.contents(atPath: path).map(Array.init) == expected)
            #expect(file.byteCount == Int64(expected.count))
            if download == .continued, reply == .partOK { #expect(file.resumedByteCount == 70_000) }
        } catch let error as CumulusError {
            #expect(!reply.isRight, "\(error)")
            #expect(!FilePath(path).exists)
            #expect(!error.message.contains("of -"), "\(error.message)")
        }
        if download == .file, reply == .part || reply == .partOK {
            #expect(server.ranges == [nil, "bytes=70000-"])
        }
        if download == .range, reply == .partOK { #expect(server.ranges == ["bytes=100-999"]) }
    }

    @Test("a download that nothing has begun accepts any success, but not a part of something")
    func firstResponses() async throws {
        for (status, range) in [(201, nil), (207, nil), (200, "bytes 0-4/10"), (201, "bytes 0-4/10")]
            as [(Int, String?)]
        {
            let transport = StubTransport { _ in
                var headers: Headers = [.contentLength: "5"]
                headers[.contentRange] = range.map { .init($0) }
                return .response(.init(code: status), headers: headers, body: Array("01234".utf8))
            }
            let (site, folder) = (Resource("http://a.example/x", transport: transport.watched), try TemporaryFolder())
            site.setRules { $0.clock = HastyClock() }
            let path = folder.path + "/x"
            if range == nil {
                #expect(try await site.download(to: .file(path)).byteCount == 5)
            } else {
                let error = try await failure { try await site.download(to: .file(path)) }
                #expect(error.code == .malformedResponse && error.message.contains("only a part of the file"))
                #expect(!FilePath(path).exists)
            }
        }
    }

    @Test(
        "a part with status 200 is not the revision of the whole",
        arguments: [HTTPResponse.Status.ok, .partialContent]
    )
    func revisions(status: HTTPResponse.Status) async throws {
        let transport = StubTransport { request in
            let isPart = request.headers[.range] != nil
            let headers: Headers = isPart ? [.eTag: "\"1\"", .contentRange: "bytes 0-0/2"] : [.eTag: "\"1\""]
            return .response(isPart ? status : .ok, headers: headers, body: [1])
        }
        let site = Resource("http://a.example/x", transport: transport.watched) { $0.tracksRevisions = true }
        _ = try await site.get(headers: [.range: "bytes=0-0"])
        _ = try await site.get()
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
    }

    @Test("a part of an encoded body is not decoded, whatever its status")
    func codedParts() async throws {
        let transport = StubTransport { _ in
            .response(headers: [.contentEncoding: "gzip", .contentRange: "bytes 5-7/900"], body: [1, 2, 3])
        }
        let response = try await Resource("http://a.example/x", transport: transport.watched).get(headers: [
            .range: "bytes=5-7"
        ]
        )
        #expect(response.bytes.bytes == [1, 2, 3] && response.headers[.contentEncoding] == "gzip")
    }
}
