// SPDX-License-Identifier: Apache-2.0

import CumulusCore
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
/// The loop learns of the exchange when the response arrives, or when it checks the time. Until then the socket holds
/// the caller's exchange. It has its own descriptor, so that nothing is written to a reused number after the connection
/// closed.
final class CallerSocket: Sendable {
    /// An exchange whose caller has written its request, or the beginning of it.
    struct BegunExchange {
        let exchange: NIOExchange
        let written: Int
    }

    /// The outcome of a caller's write.
    enum Outcome {
        /// The connection has taken the request, completely or with a rest that the loop must write.
        case taken(isWhole: Bool)
        /// The connection is not available; nothing was written.
        case unavailable
    }

    private enum State {
        /// Only the loop may write: the connection is in use or closed, or nobody checks the time.
        case withdrawn
        /// The first caller may write.
        case offered
        /// A caller has written.
        case begun(BegunExchange)
    }

    private struct Contents {
        var state = State.withdrawn
        var isOnStack = false
        /// When the offer ends.
        var expiry: Moment?
        var descriptor: CInt
    }

    private let contents: Mutex<Contents>

    /// Creates a socket with a copy of a channel's descriptor; `nil` if there can be no copy.
    init?(_ descriptor: CInt) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        contents = Mutex(Contents(descriptor: copy))
    }

    deinit { close() }

    // MARK: The loop's side

    /// Lets callers write, until a time if there is one; returns whether the socket must be put on the stack for that.
    func offer(until expiry: Moment? = nil) -> Bool {
        contents.withLock { contents in
            guard contents.descriptor >= 0 else { return false }
            contents.expiry = expiry
            contents.state = .offered
            let isNew = !contents.isOnStack
            contents.isOnStack = true
            return isNew
        }
    }

    /// Takes the caller's exchange, if there is one; otherwise the offer stands.
    func takeBegun() -> BegunExchange? {
        contents.withLock { contents in
            guard case .begun(let begun) = contents.state else { return nil }
            contents.state = .withdrawn
            return begun
        }
    }

    /// Takes the caller's exchange, if there is one, and withdraws the offer; `isOffStack` if the stack was cleared.
    func withdraw(isOffStack: Bool = false) -> BegunExchange? {
        contents.withLock { contents in
            defer { contents.state = .withdrawn }
            if isOffStack { contents.isOnStack = false }
            if case .begun(let begun) = contents.state { return begun }
            return nil
        }
    }

    /// Releases the descriptor: the connection only ends when all of its descriptors are closed.
    ///
    /// - Returns: Whether the socket is still on the stack.
    @discardableResult
    func close() -> Bool {
        contents.withLock { contents in
            guard contents.descriptor >= 0 else { return false }
            closeDescriptor(contents.descriptor)
            contents.descriptor = -1
            return contents.isOnStack
        }
    }

    /// Whether the peer has neither sent unread bytes nor closed the connection.
    var isQuiet: Bool {
        contents.withLock { $0.descriptor >= 0 && hasNothingToRead($0.descriptor) }
    }

    // MARK: The callers' side

    /// Writes the request of an exchange, which then belongs to the connection.
    ///
    /// Under the lock: the response may arrive before the write returns.
    func write(_ exchange: NIOExchange) -> Outcome {
        contents.withLock { contents in
            contents.isOnStack = false
            guard case .offered = contents.state, contents.descriptor >= 0 else { return .unavailable }
            if let expiry = contents.expiry, expiry <= exchange.startedAt {
                // The loop decides whether it is closed or reused.
                contents.state = .withdrawn
                return .unavailable
            }
            let bytes = exchange.outgoing.start
            // Unsolicited bytes must not be taken for this request's response.
            let isQuiet = hasNothingToRead(contents.descriptor)
            let written = isQuiet ? bytes.withUnsafeReadableBytes { sendNow(contents.descriptor, $0) } : nil
            guard let written else {
                // The loop finds the reason itself, and sends the request over another connection.
                contents.state = .withdrawn
                return .unavailable
            }
            contents.state = .begun(BegunExchange(exchange: exchange, written: written))
            return .taken(isWhole: written == bytes.readableBytes)
        }
    }
}

private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }

/// Writes as much as there is room for, without waiting or raising a signal; `nil` if the connection is broken.
private func sendNow(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int? {
    #if canImport(Darwin)
    // SwiftNIO has disabled the signal for the socket.
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
