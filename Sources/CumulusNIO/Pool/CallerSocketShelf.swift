// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The sockets that callers may write on: the loop puts them here, callers on any thread take them, the last one first.
///
/// One that the loop has withdrawn may still lie here; whoever takes it finds out.
final class CallerSocketShelf: Sendable {
    private let sockets = Mutex<[Origin: [CallerSocket]]>([:])

    func put(_ socket: CallerSocket, for origin: Origin) {
        sockets.withLock { $0[origin, default: []].append(socket) }
    }

    func take(for origin: Origin) -> CallerSocket? {
        sockets.withLock { $0[origin]?.popLast() }
    }

    func clear() { sockets.withLock { $0 = [:] } }
}
