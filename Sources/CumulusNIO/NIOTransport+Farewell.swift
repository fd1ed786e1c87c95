// SPDX-License-Identifier: Apache-2.0

extension NIOTransport {
    /// Shuts down before the process ends: in order, but never for longer than it is told.
    ///
    /// PINGs that peers sent behind an answer are acknowledged, and GOAWAY and TLS's close_notify are sent. Over HTTP/2 that
    /// takes as long as a PING of ours; a peer that is silent is left behind.
    package func finish(within limit: Duration) async {
        let work = Task { await shutdown(.graceful) }
        let timer = Task {
            // The process ends: there is no setting's clock any more.
            try await Task.sleep(for: limit)
            // A graceful shutdown that is cancelled becomes an immediate one.
            work.cancel()
        }
        await work.value
        timer.cancel()
    }
}
