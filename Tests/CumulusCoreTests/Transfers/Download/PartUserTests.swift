// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A partial file is continued only for the same user over the same route.
@Suite(.timeLimit(.minutes(10))) struct PartUserTests {
    /// A transport with any identity.
    private struct Routed: Transport {
        let inner: StubTransport
        let identity: TransportIdentity

        var capabilities: TransportCapabilities { inner.capabilities }
        func identity(at origin: Origin) -> TransportIdentity { identity }
        func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
    }

    /// The user of a download, or the route that its requests take.
    enum Way: String, Sendable, CaseIterable {
        case plain, otherAuthority, pinnedKey, socket, certificate, unverified, unverifiedRoute
        case proxy, otherProxy, publicAddresses, host, otherHost
        case basic, otherPassword, bearer, otherToken, jar, apiKey, otherKey, unnamed

        /// Whether a later call may continue its part.
        var isRecognized: Bool { self != .unverified && self != .unverifiedRoute && self != .unnamed }

        fileprivate var identity: TransportIdentity {
            switch self {
            case .otherAuthority: TransportIdentity(route: ["roots", "other"])
            case .pinnedKey: TransportIdentity(route: ["pin", "sha256/A"])
            case .socket: TransportIdentity(route: ["socket", "/s"])
            case .certificate: TransportIdentity(client: ["ann"])
            case .unverified: .unknown
            case .unverifiedRoute: .unknown.over("address", "127.0.0.2")
            default: .anonymous
            }
        }

        fileprivate func apply(to rules: inout Resource.Rules) {
            switch self {
            case .proxy, .otherProxy:
                let url = self == .proxy ? "http://one.example:80" : "http://two.example:80"
                if let proxy = try? ProxyPolicy.url(url) { rules.proxy = proxy }
            case .publicAddresses: rules.allowedAddresses = .publicOnly
            case .host: rules.headers[.host] = "one.example"
            case .otherHost: rules.headers[.host] = "two.example"
            case .basic: rules.authorizers = [.basic(user: "ann", password: "p")]
            case .otherPassword: rules.authorizers = [.basic(user: "ann", password: "q")]
            case .bearer: rules.authorizers = [.bearer("one")]
            case .otherToken: rules.authorizers = [.bearer("two")]
            case .jar:
                let jar = CookieJar()
                if let cookie = try? Cookie("s", "1", domain: "a.example", isSecure: false) { jar.set(cookie) }
                rules.cookies = jar
            case .apiKey: rules.headers["X-Api-Key"] = "one"
            case .otherKey: rules.headers["X-Api-Key"] = "two"
            case .unnamed: rules.authorizers = [.custom(Unnamed())]
            default: break
            }
        }
    }

    private struct Unnamed: Authorizer {
        let mayWait = false
        func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "Own 1" }
    }

    private let remote = RemoteFile()
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/data.bin" }

    init() throws { folder = try TemporaryFolder() }

    private func resource(_ way: Way, rules: (inout Resource.Rules) -> Void = { _ in }) -> Resource {
        let transport = Routed(inner: remote.transport, identity: way.identity)
        return Resource("http://a.example/data.bin", transport: transport.watched) {
            $0.clock = HastyClock()
            way.apply(to: &$0)
            rules(&$0)
        }
    }

    /// Leaves the first 40,000 bytes of a state of the file that the server no longer has, under the same tag.
    private func breakOff(_ resource: Resource, changing: Bool = true) async throws {
        remote.change { $0.breaks = [40_000, 0, 0] }
        let error = try await failure {
            try await resource.download(to: .file(path), options: DownloadOptions(resume: true))
        }
        #expect(error.code == .incomplete)
        remote.change { state in
            (state.breaks, state.seen) = ([], [])
            if changing { state.bytes = RemoteFile.content(state.bytes.count, seed: 9) }
        }
    }

    private func download(_ resource: Resource) async throws -> DownloadedFile {
        try await resource.download(to: .file(path), options: DownloadOptions(resume: true, existing: .replace))
    }

    private var bytes: [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }

    @Test("a part of another user or route is downloaded again", arguments: Way.allCases)
    func otherWays(first: Way) async throws {
        for second in Way.allCases where second != first {
            try await breakOff(resource(first))
            let file = try await download(resource(second))
            #expect(file.resumedByteCount == 0 && file.restartReason != nil, "\(first) and \(second)")
            #expect((bytes == remote.bytes) as Bool, "\(first) and \(second)")
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("the same call again continues the part, unless its identity is unknown", arguments: Way.allCases)
    func sameWay(way: Way) async throws {
        let first = resource(way)
        // A jar in memory, and an authorizer of your own, belong to their settings.
        let second = way == .jar ? first : resource(way)
        try await breakOff(first, changing: !way.isRecognized)
        let file = try await download(second)
        #expect(file.resumedByteCount == (way.isRecognized ? 40_000 : 0))
        #expect((bytes == remote.bytes) as Bool)
    }

    @Test("neutral header fields don't distinguish parts") func neutralFields() async throws {
        let site = resource(.plain)
        try await breakOff(site.with { $0.headers[.userAgent] = "one/1" }, changing: false)
        let file = try await download(site.with { $0.headers[.userAgent] = "two/2" })
        #expect(file.resumedByteCount == 40_000 && bytes == remote.bytes)
    }

    @Test("fields for negotiation distinguish parts", arguments: ["Accept", "Accept-Charset", "Accept-Language"])
    func negotiation(name: String) async throws {
        let site = resource(.plain)
        let name = Headers.Name(name)
        try await breakOff(site.with { $0.headers[name] = "a" })
        let file = try await download(site.with { $0.headers[name] = "b" })
        #expect(file.resumedByteCount == 0 && bytes == remote.bytes)
    }

    @Test(
        "cookies are compared by their values",
        arguments: [(nil, nil), ("s=1", "s=1"), (nil, "s=1"), ("s=1", "s=2")]
    )
    func cookieValues(first: String?, second: String?) async throws {
        func jar(_ cookie: String?) throws -> CookieJar {
            let jar = CookieJar()
            if let cookie { try jar.set("\(cookie); Max-Age=600", from: "http://a.example/") }
            return jar
        }
        let (one, other) = (try jar(first), try jar(second))
        try await breakOff(resource(.plain) { $0.cookies = one }, changing: first != second)
        let file = try await download(resource(.plain) { $0.cookies = other })
        #expect(file.resumedByteCount == (first == second ? 40_000 : 0) && bytes == remote.bytes)
    }

    @Test(
        "a cookie that the response sets continues the part, whether the jar was saved or not",
        arguments: [true, false]
    )
    func cookieOfTheResponse(isSaved: Bool) async throws {
        remote.change { $0.extra[.setCookie] = "visit=1; Max-Age=600" }
        let jar = CookieJar()
        try await breakOff(resource(.plain) { $0.cookies = jar }, changing: false)
        #expect(jar.cookies.count == 1)
        let next = isSaved ? jar : CookieJar()
        let file = try await download(resource(.plain) { $0.cookies = next })
        #expect(file.resumedByteCount == 40_000 && bytes == remote.bytes)
    }

    @Test("a cookie that another download's response sets while a body arrives continues the part with another jar")
    func cookieOfAnotherDownload() async throws {
        let (jar, next, gate) = (CookieJar(), CookieJar(), Gate())
        try jar.set("visit=1; Max-Age=600", from: "http://a.example/")
        try next.set("visit=2; Max-Age=600", from: "http://a.example/")
        let start = Array(remote.bytes.prefix(40_000))
        remote.change { state in
            state.twists = [
                { _, _ in
                    let headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes", .contentLength: "100000"]
                    let failure = TransportFailure(.truncated, "it broke", fate: .unknown)
                    return .script([.chunk(start), .gate(gate), .fail(failure)], headers: headers)
                }
            ]
        }
        let first = resource(.plain) { ($0.cookies, $0.retry) = (jar, nil) }
        let running = first.call(.get).download(to: .file(path), options: DownloadOptions(resume: true)).start()
        try await gate.waitForWaiters()
        jar.downloadChanges.record(from: Array("visit=1".utf8), to: Array("visit=2".utf8))
        gate.open()
        let error = try await failure { try await running.value }
        #expect(error.code == .incomplete)
        let file = try await download(resource(.plain) { $0.cookies = next })
        #expect(file.resumedByteCount == 40_000 && bytes == remote.bytes)
    }

    @Test("a user who logs in by another call gets none of the bytes before", arguments: [false, true])
    func loginByAnotherCall(setsCookies: Bool) async throws {
        let (jar, remote, next) = (CookieJar(), remote, RemoteFile.content(100_000, seed: 9))
        try jar.set("s=ann; Max-Age=600", from: "http://a.example/")
        remote.change { state in
            state.breaks = [40_000]
            if setsCookies { state.extra[.setCookie] = "visit=1; Max-Age=600" }
            state.twists = [
                { _, response in
                    remote.change { $0.bytes = next }
                    // After the response, as another call would.
                    try? jar.set("s=bob; Max-Age=600", from: "http://a.example/")
                    return response
                }
            ]
        }
        _ = try await download(resource(.plain) { $0.cookies = jar })
        #expect((bytes == next) as Bool)
    }

    @Test("a body in memory doesn't combine the bytes of two users of one jar") func bodyInMemory() async throws {
        let (jar, remote, next) = (CookieJar(), remote, RemoteFile.content(100_000, seed: 9))
        try jar.set("s=ann; Max-Age=600", from: "http://a.example/")
        remote.change { state in
            state.breaks = [70_000]
            state.extra[.setCookie] = "visit=1; Max-Age=600"
            state.twists = [
                { _, response in
                    remote.change { $0.bytes = next }
                    try? jar.set("s=bob; Max-Age=600", from: "http://a.example/")
                    return response
                }
            ]
        }
        let response = try await resource(.plain) { $0.cookies = jar }.get()
        #expect((response.bytes.bytes == next) as Bool)
        // A cookie of the response itself doesn't end it.
        remote.change { ($0.breaks, $0.seen) = ([70_000], []) }
        remote.change { $0.extra[.setCookie] = "visit=2; Max-Age=600" }
        let second = try await resource(.plain) { $0.cookies = jar }.get()
        #expect((second.bytes.bytes == next) as Bool)
        #expect(remote.seen.map { $0[.range] } == [nil, "bytes=70000-"])
    }

    @Test("cookies that a redirect sets belong to its user, with authorizers and without", arguments: [true, false])
    func redirectedUsers(isAuthorized: Bool) async throws {
        let (remote, bob) = (remote, RemoteFile.content(100_000, seed: 9))
        let transport = StubTransport { request in
            guard request.request.origin.host == "a.example" else { return remote.answer(request) }
            let user = request.headers["X-User"] ?? request.headers[.authorization] ?? ""
            let field = "s=\(user.utf8.reduce(0) { $0 &* 31 &+ Int($1) }); Domain=a.example; Path=/"
            return .response(.found, headers: ["Location": "http://b.a.example/data.bin", "Set-Cookie": "\(field)"])
        }
        func site(_ user: String) -> Resource {
            let watched = transport.watched(allowing: .init(sharesCredentials: true))
            return Resource("http://a.example/data.bin", transport: watched) {
                $0.clock = HastyClock()
                $0.cookies = CookieJar()
                if isAuthorized {
                    $0.authorizers = [.basic(user: user, password: "p")]
                } else {
                    $0.headers["X-User"] = user
                }
            }
        }
        remote.change { $0.breaks = [40_000, 0, 0] }
        _ = try await failure { try await download(site("ann")) }
        remote.change { state in (state.breaks, state.bytes) = ([], bob) }
        #expect(try await download(site("bob")).resumedByteCount == 0)
        #expect((bytes == bob) as Bool)
    }

    @Test("cookies that the responses set don't end a download's part", arguments: [1, 4], [false, true])
    func cookiesOfTheDownload(connections: Int, isRotating: Bool) async throws {
        let (jar, remote) = (CookieJar(), remote)
        let count = Mutex(0)
        let transport = StubTransport { request in
            let number =
                isRotating
                ? count.withLock { number -> Int in
                    number += 1
                    return number
                } : 0
            remote.change { $0.extra[.setCookie] = "visit=\(number); Max-Age=600" }
            return remote.answer(request)
        }
        let site = Resource("http://a.example/data.bin", transport: transport.watched) {
            $0.clock = HastyClock()
            $0.cookies = jar
            $0.chunks.size = 50_000
        }
        remote.change { state in
            state.bytes = RemoteFile.content(400_000)
            state.breaks = [40_000]
        }
        let options = DownloadOptions(resume: true, existing: .replace, connections: connections)
        _ = try await site.download(to: .file(path), options: options)
        #expect(jar.cookies.count == 1 && (bytes == remote.bytes) as Bool)
        #expect(remote.seen.filter { $0[.range] == nil }.count == 1)
        // Another run continues the part with the latest cookies.
        try FileManager.default.removeItem(atPath: path)
        remote.change { $0.breaks = [40_000] + Array(repeating: 5_000, count: 20) }
        _ = try await failure { try await site.download(to: .file(path), options: options) }
        remote.change { ($0.breaks, $0.seen) = ([], []) }
        #expect(try await site.download(to: .file(path), options: options).resumedByteCount > 0)
        #expect((bytes == remote.bytes) as Bool)
    }

    @Test("an unverified download continues its own part by a renewed link")
    func renewedLinkOfAnUnverifiedCall() async throws {
        remote.change { $0.breaks = [40_000] }
        remote.change { state in
            state.twists = [nil, { _, _ in .response(.forbidden) }]
        }
        let options = DownloadOptions(resume: true, existing: .replace) { _ in "http://a.example/data.bin?again" }
        let file = try await resource(.unverified).download(to: .file(path), options: options)
        #expect(file.byteCount == 100_000 && bytes == remote.bytes)
        #expect(remote.seen.map { $0[.range] } == [nil, "bytes=40000-", "bytes=40000-"])
    }

    @Test("an unverified download continues its own part after a break")
    func breakWithinAnUnverifiedCall() async throws {
        remote.change { $0.breaks = [40_000] }
        let file = try await download(resource(.unverified))
        #expect(file.byteCount == 100_000 && bytes == remote.bytes)
        #expect(remote.seen.map { $0[.range] } == [nil, "bytes=40000-"])
    }

    @Test("an unverified download continues its own part after a pause") func pauseOfAnUnverifiedCall() async throws {
        let rate = Bandwidth(bytesPerSecond: 0)
        let resource = resource(.unverified) { $0.bandwidth = rate }
        let handle = resource.call(.get).download(to: .file(path), options: DownloadOptions(resume: true)).start()
        let part = DownloadTarget.part(of: FilePath(path)).text
        let first = remote.bytes.prefix(1_024)
        try await eventually {
            FileManager.default.contents(atPath: part).map { [UInt8]($0.prefix(1_024)) } == Array(first)
        }
        handle.pause()
        rate.bytesPerSecond = nil
        handle.resume()
        #expect(try await handle.value.resumedByteCount == 1_024)
        #expect((bytes == remote.bytes) as Bool)
    }

    @Test("a user who logs in during a download gets none of the bytes before")
    func loginDuringADownload() async throws {
        let authorizer = SwitchingAuthorizer("ann")
        let remote = remote
        let next = RemoteFile.content(100_000, seed: 9)
        remote.change { state in
            state.breaks = [40_000]
            state.twists = [
                { _, answer in
                    remote.change { $0.bytes = next }
                    authorizer.user = "bob"
                    return answer
                }
            ]
        }
        let site = resource(.plain).with { $0.authorizers = [.custom(authorizer)] }
        #expect(try await download(site).byteCount == 100_000)
        #expect((bytes == next) as Bool)
        #expect(remote.seen.map { $0[.authorization] } == ["Named ann", "Named bob", "Named bob"])
    }
}
