// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// The dialog with a proxy before a connection leads to its origin.
///
/// A state machine without I/O.
enum ProxyDialog {
    /// The next step.
    enum Step {
        case wait
        case send(ByteBuffer)
        case open
    }

    /// Nothing: requests are forwarded unchanged.
    case nothing
    case connect(question: ByteBuffer, TunnelResponse)
    case socks5(SOCKS5Handshake)
    case socks4(SOCKS4Handshake)

    /// The dialog for an origin that ``Route/check(_:)`` has accepted; an address replaces its host.
    ///
    /// If the origin's server may begin, its first bytes are in ``rest``.
    init(
        with proxy: Proxy,
        to origin: Origin,
        at address: IPAddress? = nil,
        serverMayBegin: Bool = false
    ) throws(HTTP1RequestError) {
        let host = address.map(\.description) ?? origin.host
        let port = UInt16(truncatingIfNeeded: origin.port)
        switch proxy.scheme {
        case .http, .https:
            if origin.scheme == .http {
                self = .nothing
                return
            }
            var writer = HTTP1RequestWriter()
            var question = ByteBuffer()
            var head = HTTP1RequestWriter.Head.connect(host: host, port: origin.port)
            head.proxyAuthorization = proxy.authorization
            _ = try writer.writeHead(head, into: &question)
            self = .connect(question: question, TunnelResponse())
        case .socks5:
            let user = proxy.credentials.map { (Array($0.user.utf8), Array($0.password.revealed.utf8)) }
            self = .socks5(
                SOCKS5Handshake(to: Self.target(host), port: port, user: user, serverMayBegin: serverMayBegin)
            )
        case .socks4a:
            let user = Array((proxy.credentials?.user ?? "").utf8)
            self = .socks4(
                SOCKS4Handshake(to: Self.target(host), port: port, user: user, serverMayBegin: serverMayBegin)
            )
        }
    }

    private static func target(_ host: String) -> SOCKSTarget {
        guard let address = IPAddress(host) else { return .name(Array(host.utf8)) }
        return address.width == 32 ? .ipv4(address.bytes) : .ipv6(address.bytes)
    }

    /// The first message to the proxy; `nil` if there is none.
    var firstWords: ByteBuffer? {
        switch self {
        case .nothing: nil
        case .connect(let question, _): question
        case .socks5(let handshake): ByteBuffer(bytes: handshake.greeting)
        case .socks4(let handshake): ByteBuffer(bytes: handshake.request)
        }
    }

    /// The origin's first bytes, which arrived with the proxy's last response; `nil` if there are none.
    var rest: ByteBuffer? {
        let rest: ByteBuffer
        switch self {
        case .nothing, .connect: return nil
        case .socks5(let handshake): rest = handshake.rest
        case .socks4(let handshake): rest = handshake.rest
        }
        return rest.readableBytes > 0 ? rest : nil
    }

    /// Takes bytes from the proxy.
    mutating func receive(_ bytes: ByteBuffer) throws(TunnelProblem) -> Step {
        switch self {
        case .nothing: throw .unaskedBytes
        case .connect(let question, var answer):
            // The only reference while it changes.
            self = .nothing
            let isOpen = try answer.receive(bytes)
            self = .connect(question: question, answer)
            return isOpen ? .open : .wait
        case .socks5(var handshake):
            self = .nothing
            let step = try Self.step { () throws(SOCKSProblem) in try handshake.receive(bytes) }
            self = .socks5(handshake)
            return step
        case .socks4(var handshake):
            self = .nothing
            let step = try Self.step { () throws(SOCKSProblem) in try handshake.receive(bytes) }
            self = .socks4(handshake)
            return step
        }
    }

    /// The problem if the connection ends now.
    mutating func finish() -> TunnelProblem {
        switch self {
        case .nothing: return .unreadable(.closedBeforeResponse)
        case .connect(_, var answer): return answer.finish()
        case .socks5, .socks4: return .socks(.closed)
        }
    }

    private static func step(_ work: () throws(SOCKSProblem) -> SOCKSStep) throws(TunnelProblem) -> Step {
        do throws(SOCKSProblem) {
            switch try work() {
            case .wait: return .wait
            case .send(let bytes): return .send(ByteBuffer(bytes: bytes))
            case .open: return .open
            }
        } catch {
            if error == .unaskedBytes { throw .unaskedBytes }
            throw .socks(error)
        }
    }
}
