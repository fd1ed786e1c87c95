// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The session's end of a body that is sent while it is produced.
protocol BodySink: Sendable {
    /// Sends bytes, waiting while the peer is slow.
    ///
    /// - Throws: ``BodySinkEnded`` if the session takes no more of them.
    func write(_ piece: ByteChunk) async throws
    /// Ends the body; the session takes what was written for all of it.
    func close()
}

/// The session takes no more of a body, as after an early response.
struct BodySinkEnded: Error {}

extension URLSessionExchange {
    /// Produces the request's body for the session, in a task that ends with the exchange.
    ///
    /// - Returns: False if the session needs the body again, as after a challenge, and it can be produced only once.
    func sendBody(to sink: some BodySink) -> Bool {
        startProducer { [self] in
            do {
                try await request.body.read { piece in try await sink.write(piece) }
            } catch is BodySinkEnded {
                // The session's own error, or a response, follows.
            } catch {
                // Before the end, which would make the body a complete one. Another producer may have replaced this one.
                if !Task.isCancelled { fail(error) }
            }
            sink.close()
        }
    }
}
