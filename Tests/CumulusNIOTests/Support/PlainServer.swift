// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import Dispatch
import Foundation
import Glibc
import HTTPTypes

@testable import CumulusNIO

/// A server of bare descriptors, which reads and responds exactly when a test says so; its calls block their thread, but
/// none for longer than `patience`: nothing else could end them.
final class PlainServer: Sendable {
    static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    /// How long a call waits for the other side; far longer than a busy machine takes.
    static let patience: DispatchTimeInterval = .seconds(120)

    let port: Int
    private let listener: CInt
    private let path: String?

    /// Listens on a Unix domain socket, whose buffers are small, or on a port; optionally with a small receive buffer.
    init(isUnix: Bool, backlog: CInt = 16, receiveBuffer: CInt? = nil) {
        let listener = socket(isUnix ? AF_UNIX : AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        if var receiveBuffer { setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        if isUnix {
            let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { space in
                path.utf8CString.withUnsafeBytes { space.copyMemory(from: $0) }
            }
            _ = PlainServer.withPointer(&address) { Glibc.bind(listener, $0, $1) }
            self.path = path
            port = 80
        } else {
            var address = PlainServer.loopback(port: 0)
            _ = PlainServer.withPointer(&address) { Glibc.bind(listener, $0, $1) }
            var size = socklen_t(MemoryLayout<InternetAddress>.size)
            _ = PlainServer.withPointer(&address) { pointer, _ in getsockname(listener, pointer, &size) }
            path = nil
            port = Int(UInt16(bigEndian: address.port))
        }
        listen(listener, backlog)
    }

    deinit {
        close(listener)
        if let path { unlink(path) }
    }

    /// Waits for a connection, on which sent bytes don't wait for earlier ones; an invalid descriptor if none is made.
    func accept() -> CInt {
        guard PlainServer.isReady(listener, CInt(POLLIN)) else { return -1 }
        // There is a connection: this doesn't wait.
        let descriptor = Glibc.accept(listener, nil, nil)
        var isOn: CInt = 1
        if path == nil { setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, 4) }
        return descriptor
    }

    /// Whether a connection waits to be accepted.
    var hasCaller: Bool {
        var poll = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Accepts no more connections.
    func refuseConnections() { shutdown(listener, CInt(SHUT_RDWR)) }

    /// Connects to it without waiting, and sends nothing.
    func knock() -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = PlainServer.loopback(port: port)
        _ = PlainServer.withPointer(&address) { connect(descriptor, $0, $1) }
        return descriptor
    }

    /// Reads up to the end of a request's head.
    static func readHead(_ descriptor: CInt) {
        var last: [UInt8] = []
        var byte: UInt8 = 0
        while last.suffix(4) != [13, 10, 13, 10] {
            guard isReady(descriptor, CInt(POLLIN)), recv(descriptor, &byte, 1, 0) > 0 else { return }
            last.append(byte)
        }
    }

    /// Waits for bytes; none at the end, and if none arrive.
    static func read(_ descriptor: CInt, flags: CInt = 0) -> [UInt8] {
        if flags & CInt(MSG_DONTWAIT) == 0, !isReady(descriptor, CInt(POLLIN)) { return [] }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, flags)
        return Array(bytes.prefix(max(0, count)))
    }

    /// All bytes that are available now.
    static func readAvailable(_ descriptor: CInt) -> [UInt8] {
        var all: [UInt8] = []
        while case let more = read(descriptor, flags: CInt(MSG_DONTWAIT)), !more.isEmpty { all += more }
        return all
    }

    static func send(_ descriptor: CInt, _ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, isReady(descriptor, CInt(POLLOUT)) {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until a descriptor can be read or written, or has an end; false if that doesn't happen.
    private static func isReady(_ descriptor: CInt, _ event: CInt) -> Bool {
        guard descriptor >= 0, case .seconds(let seconds) = patience else { return false }
        var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return Glibc.poll(&poll, 1, CInt(seconds * 1_000)) > 0
    }

    /// Closes a connection by force.
    static func reset(_ descriptor: CInt) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    func request(_ method: HTTPRequest.Method = .get, _ target: String = "/", body: RequestBody = .none)
        -> TransportRequest
    {
        TransportRequest(
            method: method,
            origin: Origin(scheme: .http, host: "127.0.0.1", port: port),
            target: target,
            body: body,
            deadlines: TransportDeadlines(idle: .seconds(300))
        )
    }

    var configuration: NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = path
        return configuration
    }

    // Not sockaddr_in: the module of its members depends on what else the compiler's process reads.
    private typealias InternetAddress = (family: UInt16, port: UInt16, address: UInt32, padding: UInt64)

    private static func loopback(port: Int) -> InternetAddress {
        (UInt16(AF_INET), UInt16(port).bigEndian, UInt32(0x7F00_0001).bigEndian, 0)
    }

    private static func withPointer<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let size = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, but not for longer than a server waits for its client.
    func waitPatiently() { _ = wait(timeout: .now() + PlainServer.patience) }
}

/// Runs blocking work on its own thread.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in Thread { continuation.resume(returning: work()) }.start() }
}
#endif
