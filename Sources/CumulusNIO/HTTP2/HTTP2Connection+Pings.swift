// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// What the connection learns from answers to its PINGs: the peer has coped with everything sent before.
extension HTTP2Connection {
    /// Lets requests wait until the peer has coped with everything: some servers break off a connection on which the
    /// rest of a body arrives behind their answer.
    func rest() {
        if isClosed || state.isDraining { return }
        awaitedPing = ping { $0.awaitedPing }
    }

    /// Asks whether the peer knows that streams were reset, if others wait for their places.
    func askAboutResets() {
        if isClosed || resetPing != nil || !state.waitsForResets { return }
        state.askAboutResets()
        resetPing = ping { $0.resetPing }
    }

    func receiveAnswer(to ping: HTTP2PingData) {
        endParting()
        if resetPing == ping.integer {
            resetPing = nil
            state.confirmResets()
            askAboutResets()
            engine.streamsChanged(self)
        }
        guard awaitedPing == ping.integer else { return }
        awaitedPing = nil
        if keepsCredit { leave() } else { engine.streamsChanged(self) }
    }

    /// Sends a PING, without whose answer other connections are used if it is still waited for.
    private func ping(_ awaited: @escaping (HTTP2Connection) -> UInt64?) -> UInt64 {
        pings += 1
        let number = pings
        flood.noteProgress()
        send(.ping(HTTP2PingData(withInteger: number), ack: false), on: .rootStream)
        scheduleFlush()
        engine.eventLoop.assumeIsolated().scheduleTask(in: Self.longestRest) {
            if awaited(self) == number { self.leave() }
        }
        return number
    }

    /// Whether the peer has kept more than half of the window for content of ended streams, although it has coped with
    /// all of it: the next bodies would wait in vain.
    ///
    /// Tomcat 10.1 loses the credit for content that arrives while it ends a stream. Less than half says nothing, since
    /// a peer may return credit in halves of the window.
    private var keepsCredit: Bool {
        let held = streams.values.reduce(0) { $0 + $1.state.window.owed }
        return state.window.owed - held > state.window.largest / 2
    }

    /// After how long without the answer to a PING other connections are used.
    private static let longestRest = TimeAmount.seconds(5)
}
