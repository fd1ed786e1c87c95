// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension NIOTransport {
    /// Shuts down gracefully before the process ends, but never for longer than a limit.
    ///
    /// PINGs that peers sent after a response are acknowledged, and GOAWAY and TLS's close_notify are sent. Over HTTP/2
    /// this takes as long as our own PING; a silent peer is not waited for.
    package func finish(within limit: Duration) async {
        let work = Task { await shutdown(.graceful) }
        let timer = Task {
            // The process is ending: no request's clock applies any more.
            try await Task.sleep(for: min(limit, SystemClock.longestSleep))
            // Cancelling a graceful shutdown makes it immediate.
            work.cancel()
        }
        await work.value
        timer.cancel()
    }
}
