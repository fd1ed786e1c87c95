// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A download whose link has expired goes on with another.
@Suite(.timeLimit(.minutes(10))) struct DownloadLinkTests {
    @Test("An expired link is renewed, and the bytes are kept", arguments: [401, 403, 404, 410])
    func renewed(code: Int) async throws {
        let remote = RemoteFile()
        let transport = StubTransport { routes in
            routes.on(.get, "/old") { request in
                request.number == 1 ? remote.answer(request) : .response(.init(code: code))
            }
            routes.on(.get, "/new") { request in remote.answer(request) }
        }
        let folder = try TemporaryFolder()
        remote.change { $0.breaks = [40_000] }
        let site = Resource("http://a.example/old?key=1", transport: transport.watched) { $0.clock = HastyClock() }
        var options = DownloadOptions()
        options.renewed = { error in error.statusCode == code ? "/new?key=2" : "/wrong" }
        let file = try await site.download(to: .file(folder.path + "/x"), options: options)
        #expect(file.byteCount == 100_000)
        #expect(remote.seen.map { $0[.range] } == [nil, "bytes=40000-"])
        #expect(transport.lastRequest?.request.target == "/new?key=2")
        #expect(FileManager.default.contents(atPath: file.path).map { [UInt8]($0) } == remote.bytes)
    }

    @Test("A renewed link at another origin gets no credentials")
    func renewedElsewhere() async throws {
        let remote = RemoteFile()
        let transport = StubTransport { request in
            request.request.origin.host == "a.example" ? .response(.forbidden) : remote.answer(request)
        }
        let folder = try TemporaryFolder()
        let site = Resource("http://a.example/old", transport: transport.watched) {
            $0.headers[.authorization] = "secret"
        }
        let options = DownloadOptions(renewed: { _ in "http://b.example/new" })
        let file = try await site.download(to: .file(folder.path + "/x"), options: options)
        #expect(file.byteCount == 100_000)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["secret", nil])
    }
}
