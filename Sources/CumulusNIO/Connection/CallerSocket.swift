// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The socket of an idle connection, on which a caller may write its request without a turn of the event loop.
///
/// The loop hears of the exchange when the response comes, or when it looks at the time. Until then the socket holds
/// the claim. A descriptor of its own, so that nobody writes into whatever got the number of one that was closed.
final class CallerSocket: Sendable {
    /// An exchange whose caller has written its request, or the beginning of it.
    struct Claim {
        let exchange: NIOExchange
        let written: Int
    }

    /// What became of a caller's request.
    enum Outcome {
        /// The connection has it, as a whole or with a rest that the loop must write.
        case taken(isWhole: Bool)
        /// The connection is not to be had; nothing was written.
        case unavailable
    }

    private enum State {
        /// The loop's own: the connection is in use, closed, or nobody looks at the time.
        case withdrawn
        /// Whoever comes first may write.
        case offered
        /// Somebody has.
        case claimed(Claim)
    }

    private struct Contents {
        var state = State.withdrawn
        var isShelved = false
        var descriptor: CInt
    }

    private let contents: Mutex<Contents>

    /// Of a channel over TCP or a Unix socket; `nil` of any other.
    init?(_ channel: any Channel) {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        contents = Mutex(Contents(descriptor: copy))
    }

    deinit { close() }

    // MARK: The loop's side

    /// Lets callers write; whether the socket is to be put on the shelf for that.
    func offer() -> Bool {
        contents.withLock { contents in
            guard contents.descriptor >= 0 else { return false }
            contents.state = .offered
            let isNew = !contents.isShelved
            contents.isShelved = true
            return isNew
        }
    }

    /// Takes the claim, if there is one; else the offer stands.
    func takeClaim() -> Claim? {
        contents.withLock { contents in
            guard case .claimed(let claim) = contents.state else { return nil }
            contents.state = .withdrawn
            return claim
        }
    }

    /// Takes the claim, if there is one, and the offer back; `isOffShelf` where the shelf was cleared.
    func withdraw(isOffShelf: Bool = false) -> Claim? {
        contents.withLock { contents in
            defer { contents.state = .withdrawn }
            if isOffShelf { contents.isShelved = false }
            if case .claimed(let claim) = contents.state { return claim }
            return nil
        }
    }

    /// Lets go of the descriptor: the connection ends only when all of its descriptors are closed.
    ///
    /// - Returns: Whether the socket is still on the shelf.
    @discardableResult
    func close() -> Bool {
        contents.withLock { contents in
            guard contents.descriptor >= 0 else { return false }
            closeDescriptor(contents.descriptor)
            contents.descriptor = -1
            return contents.isShelved
        }
    }

    /// Whether the peer has neither said anything that was not read yet nor closed the connection (T-32).
    var isQuiet: Bool {
        contents.withLock { $0.descriptor >= 0 && hasNothingToRead($0.descriptor) }
    }

    // MARK: The callers' side

    /// Writes the request of an exchange, which is the connection's from then on.
    ///
    /// Under the lock: the response may be here before the write returns.
    func write(_ exchange: NIOExchange) -> Outcome {
        contents.withLock { contents in
            contents.isShelved = false
            guard case .offered = contents.state, contents.descriptor >= 0 else { return .unavailable }
            let bytes = exchange.outgoing.start
            // T-32: what came without having been asked for must not be taken for this request's response.
            let isQuiet = hasNothingToRead(contents.descriptor)
            let written = isQuiet ? bytes.withUnsafeReadableBytes { sendNow(contents.descriptor, $0) } : nil
            guard let written else {
                // The loop finds out why by itself, and sends the request over another connection.
                contents.state = .withdrawn
                return .unavailable
            }
            contents.state = .claimed(Claim(exchange: exchange, written: written))
            return .taken(isWhole: written == bytes.readableBytes)
        }
    }
}

extension Channel {
    /// Its socket, the channel's for as long as that is active; `nil` if it has none.
    ///
    /// Worth being kept: finding it takes the runtime longer than a request takes us.
    var socket: CInt? {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
    }
}

private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }

/// Whether a connection is open and no byte waits in it.
func hasNothingToRead(_ descriptor: CInt) -> Bool {
    var byte: UInt8 = 0
    while true {
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) >= 0 { return false }
        if errno == EAGAIN || errno == EWOULDBLOCK { return true }
        if errno != EINTR { return false }
    }
}

/// Writes what there is room for, and neither waits nor raises a signal; `nil` if the connection is broken.
private func sendNow(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int? {
    #if canImport(Darwin)
    // SwiftNIO has switched the signal off for the socket.
    let flags = MSG_DONTWAIT
    #else
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    #endif
    while true {
        let count = send(descriptor, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
        if errno != EINTR { return nil }
    }
}
