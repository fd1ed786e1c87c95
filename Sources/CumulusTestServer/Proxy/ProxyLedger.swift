// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The records of a proxy's connections, and the connections themselves.
final class ProxyLedger: Sendable {
    private struct State {
        var record = LoopbackProxy.Record()
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())

    var record: LoopbackProxy.Record { state.withLock(\.record) }

    func note(_ change: (inout LoopbackProxy.Record) -> Void) { state.withLock { change(&$0.record) } }

    func noteSent(_ bytes: ByteBuffer) {
        note { $0.sent += bytes.readableBytesView.prefix(max(0, 65_536 - $0.sent.count)) }
    }

    func accepted(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock {
            $0.record.connections += 1
            $0.channels[id] = channel
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: id) } }
    }

    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
