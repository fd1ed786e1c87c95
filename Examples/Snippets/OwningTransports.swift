// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import Synchronization

func scoped() async throws {
    // snippet.scoped
    var configuration = NIOTransport.Configuration()
    configuration.maximumConnectionsPerOrigin = 8
    configuration.tls.minimumVersion = .tls13

    let text = try await NIOTransport.withTransport(configuration) { transport in
        let site = Resource("https://api.example.com", transport: transport)
        return try await site["motto"].get(as: String.self)
    }  // returns when its last exchange has ended and its connections are closed
    // snippet.end
    _ = text
}

func owned() async throws {
    // snippet.owned
    let transport = NIOTransport()
    let site = Resource("https://api.example.com", transport: transport)
    _ = try await site.get()
    await transport.shutdown()  // or .immediate, which ends running exchanges
    // snippet.end
}

func version() {
    // snippet.http2
    let service = Resource("https://api.example.com")
    service.setRules { $0.httpVersion = .http2 }  // an error if the server doesn't support it
    let legacy = service["legacy"]
    legacy.setRules { $0.httpVersion = .http1 }
    // snippet.end
}

func onTheLoop(transport: NIOTransport, users: Resource) async throws {
    // snippet.executor
    let names = try await withTaskExecutorPreference(transport.executor) {
        try await withThrowingTaskGroup(of: String.self) { group in
            for id in 1...500 {
                group.addTask { try await users[id]["name"].get(as: String.self) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
    // snippet.end
    _ = names
}

func trust(pem: [UInt8]) {
    // snippet.trust
    var configuration = NIOTransport.Configuration()
    configuration.tls.trustRoots = .pem(pem)  // only these roots
    // snippet.end
    _ = configuration
}

func development(certificate: [UInt8]) {
    // snippet.development
    var configuration = NIOTransport.Configuration()
    configuration.tls.trustRoots = .pem(certificate)  // the server's own
    let site = Resource("https://localhost:8443", transport: NIOTransport(configuration: configuration))
    // snippet.end
    _ = site
}

func pin(to pem: [UInt8], backup: String) throws {
    // snippet.pin
    let current = try PublicKeyPin(certificate: pem)  // the file's bytes
    var configuration = NIOTransport.Configuration()
    configuration.tls.pins["*.example.com"] = try [current, .init(backup)]  // backup: "sha256/...", in base64
    let api = Resource("https://api.example.com", transport: NIOTransport(configuration: configuration))
    // snippet.end
    _ = api
}

func identify() throws {
    // snippet.identity
    var configuration = NIOTransport.Configuration()
    let partner = Origin(scheme: .https, host: "partner.example.com")
    configuration.tls.identities[partner] = try .init(certificateFile: "me.pem", keyFile: "me.key")
    // snippet.end
    _ = configuration
}

/// A registry of services.
private struct Registry: Sendable {
    func addresses(of host: String) async -> [String] { ["10.0.0.9"] }
}

func route() {
    let registry = Registry()
    // snippet.route
    var docker = NIOTransport.Configuration()
    docker.unixSocketPath = "/var/run/docker.sock"  // Resource("http://docker/v1.43", transport: ...)

    var staging = NIOTransport.Configuration()
    staging.addresses["api.example.com"] = ["10.0.0.7", "10.0.0.8"]  // instead of the addresses in DNS

    var mesh = NIOTransport.Configuration()
    mesh.resolver = { host in await registry.addresses(of: host) }  // for each new connection
    // snippet.end
    _ = (docker, staging, mesh)
}

func host() {
    // snippet.host
    let staging = Resource("https://staging.example.com") { $0.headers["Host"] = "shop.example.com" }
    // snippet.end
    _ = staging
}

func patience(_ reports: Resource) {
    // snippet.response
    reports.setRules { $0.responseTimeout = .seconds(600) }  // informational responses extend the wait up to this
    // snippet.end
}

func ask(_ site: Resource) {
    // snippet.continue
    let backups = site["backups"]
    backups.setRules { $0.expectsContinue = .seconds(1) }
    // snippet.end
}

// snippet.own
/// A connection of your own: a serial line, a message bus, a library in C.
protocol Link: Sendable {
    /// Whether it has carried an exchange before.
    var hasServed: Bool { get }
    func send(_ method: String, _ target: String, _ fields: HTTPFields) async throws
    func send(_ bytes: ByteChunk) async throws
    func receive() async throws -> (status: Int, fields: HTTPFields, body: [UInt8])
}

/// Sends requests over links.
struct LinkTransport: Transport {
    /// Returns an idle link, or a new one if none is idle or `isNew` is true.
    let open: @Sendable (_ origin: Origin, _ isNew: Bool) async throws -> any Link

    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.usesProxies = false
        capabilities.limitsUnreadBytes = false  // a body is received as a whole
        return capabilities
    }

    // A link's user isn't known, so no response is stored.
    func identity(at origin: Origin) -> TransportIdentity { .unknown }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let link: any Link
        do {
            link = try await open(request.origin, request.connection == .new)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw TransportFailure(.connect, "there is no link to \(request.origin)", cause: error)  // `.unsent`
        }
        do {
            try await link.send(request.method.rawValue, request.target, request.headers)
            try await request.body.read { try await link.send($0) }
            let (status, fields, body) = try await link.receive()
            let head = ResponseHead(
                status: .init(code: status),
                headers: fields,
                connectionHadServed: link.hasServed
            )
            return TransportResponse(head: head, body: ResponseBody(complete: ByteChunk(body)))
        } catch let failure as TransportFailure {
            throw failure  // the body couldn't be produced
        } catch {
            if Task.isCancelled { throw CancellationError() }
            var failure = TransportFailure(.connectionClosed, "the link has ended", cause: error)  // `.unknown`
            failure.connectionHadServed = link.hasServed
            throw failure
        }
    }
}
// snippet.end

// snippet.trailers
/// Sends lines, and their number in a trailer.
func upload(_ lines: AsyncStream<String>, to log: Resource) async throws {
    let count = Mutex(0)
    let body = StreamBody { _, writer in
        for await line in lines {
            try await writer.write(ByteChunk("\(line)\n"))
            count.withLock { $0 += 1 }
        }
    } trailers: {
        HTTPFields(["X-Line-Count": count.withLock(\.self)])
    }
    try await log.post(.body(.stream(body), type: .text), headers: [.trailer: "X-Line-Count"]).requireSuccess()
}
// snippet.end

func link(open: @escaping @Sendable (Origin, Bool) async throws -> any Link) {
    // snippet.own-use
    let site = Resource("http://device.local", transport: LinkTransport(open: open))
    // snippet.end
    _ = site
}

/// Passes each request on to another transport.
struct PassingTransport: Transport {
    let inner: any Transport

    var capabilities: TransportCapabilities { inner.capabilities }

    // snippet.wrapped
    func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }
    // snippet.end

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
}
