// SPDX-License-Identifier: Apache-2.0

/// What came of one step of a trial.
package struct TrialResult: Sendable, CustomStringConvertible {
    package let step: String
    package let requests: Int
    package let failures: Int
    /// Those among the failures whose connection the server closed before it responded, so that the request may have
    /// taken effect.
    package let unanswered: Int
    /// How many connections carried a first request.
    package var connections = 0
    /// The first failures, each with its number.
    package let reasons: [String]
    package let time: Duration

    package var seconds: Double {
        Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    package var description: String {
        "\(step): \(requests) requests, \(failures) failed" + reasons.map { "\n    \($0)" }.joined()
    }
}

/// A response that isn't what was asked for.
package struct WrongAnswer: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
