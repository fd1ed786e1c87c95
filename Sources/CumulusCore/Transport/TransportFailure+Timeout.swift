// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension TransportFailure {
    /// Creates the failure for a time limit that has passed: "connecting to http://a.example took longer than 10 s".
    ///
    /// - Parameters:
    ///   - phase: The phase whose limit passed.
    ///   - subject: The step that took too long, as the beginning of a sentence.
    ///   - limit: The time that was allowed; `nil` if it is unknown, negative if the limit had passed at the start.
    ///   - elapsed: The time that had passed, which is mentioned if it differs from the limit.
    ///   - fate: The known fate of the request.
    /// - Returns: The failure.
    public static func timeout(
        _ phase: Phase,
        _ subject: String,
        limit: Duration?,
        elapsed: Duration,
        fate: Fate
    ) -> TransportFailure {
        if let limit, limit < .zero {
            let text = "\(subject) could not begin: its deadline had passed \(SpokenDuration(.zero - limit)) earlier"
            return TransportFailure(.timeout(phase), text, fate: fate, limit: .zero, elapsed: elapsed)
        }
        let (allowed, passed) = (limit.map { SpokenDuration($0).description }, SpokenDuration(elapsed).description)
        let end =
            allowed.map { $0 == passed ? " took longer than \($0)" : " took longer than \($0), \(passed) in all" }
            ?? " ran out of time after \(passed)"
        return TransportFailure(.timeout(phase), subject + end, fate: fate, limit: limit, elapsed: elapsed)
    }
}
