// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Synchronization

/// Transports of the command that are made when they are needed, and that end together.
final class TransportTable<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var made: [Key: NIOTransport]
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ made: [Key: NIOTransport] = [:]) { state = Mutex(State(made: made)) }

    /// Returns the transport of a key, or makes one.
    ///
    /// - Throws: `TransportFailure` with `TransportFailure.Kind.shutdown` after the end, since a transport that is made
    ///   then would never end.
    func transport(
        for key: Key,
        make: () throws(TransportFailure) -> NIOTransport
    ) throws(TransportFailure) -> NIOTransport {
        try state.withLock { (state) throws(TransportFailure) -> NIOTransport in
            if let made = state.made[key] { return made }
            if state.isFinished { throw TransportFailure(.shutdown, "the command is ending") }
            let transport = try make()
            state.made[key] = transport
            return transport
        }
    }

    /// Shuts all transports down at the same time, like `NIOTransport.finish(within:)`.
    func finish(within limit: Duration) async {
        let transports = state.withLock { state in
            state.isFinished = true
            return Array(state.made.values)
        }
        await withTaskGroup(of: Void.self) { group in
            for transport in transports { group.addTask { await transport.finish(within: limit) } }
        }
    }
}
