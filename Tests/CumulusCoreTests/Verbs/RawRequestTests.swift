// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Raw requests: what they may say, and that none of their parts reaches into another.
@Suite struct RawRequestTests {
    private let echo = Echo()

    private func raw(_ scheme: String?, _ authority: String?, _ path: String?) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path, headerFields: [.authorization: "x"])
    }

    @Test(
        "a raw request's path can't change its host",
        arguments: [".evil.example/x", "@evil.example/x", "x", ":80/"]
    )
    func pathsStayPaths(path: String) async {
        do {
            _ = try await echo.site.call(raw("https", "api.example.com", path)).send()
            Issue.record("it was sent to \(echo.transport.lastRequest?.url ?? "")")
        } catch {
            #expect((error as? CumulusError)?.code == .invalidURL)
        }
        #expect(echo.transport.requests.isEmpty)
    }

    @Test(arguments: ["a.example/x", "a.example?x", "user@a.example", "a.example\\@b.example", ""])
    func anAuthorityIsHostAndPort(authority: String) async {
        await #expect(throws: CumulusError.self) { _ = try await echo.site.call(raw("https", authority, "/")).send() }
        #expect(echo.transport.requests.isEmpty)
    }

    @Test(arguments: ["/a?x&&y&", "/a?x=1%20b", "/a//b", "/a;p=1"]) func targetsAreSentAsTheyStand(path: String)
        async throws
    {
        try await echo.site.call(raw("https", "api.example.com", path)).send().requireSuccess()
        #expect(echo.transport.lastRequest?.request.target == path)
    }

    @Test(arguments: [nil, "ftp", "unix"]) func otherSchemesAreRefused(scheme: String?) async {
        await #expect(throws: CumulusError.self) { _ = try await echo.site.call(raw(scheme, "a.example", "/")).send() }
    }
}
