// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Challenges are bounded, have a scheme and a token or parameters, and no parameter twice.
enum ChallengeTarget: FuzzTarget {
    static let name = "challenge"

    static func check(_ input: UnsafeRawBufferPointer) {
        let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
        let challenges = AuthenticationChallenge.parse(lines.map { String(decoding: $0, as: UTF8.self) })
        expect(challenges.count <= 32, "\(challenges.count) challenges")
        for challenge in challenges {
            expect(!challenge.scheme.isEmpty, "a challenge without a scheme")
            expect(challenge.token == nil || challenge.parameters.isEmpty, "\(challenge) has a token and parameters")
            expect(challenge.parameters.count <= 64, "\(challenge.parameters.count) parameters")
            let names = Set(challenge.parameters.map(\.name))
            expect(names.count == challenge.parameters.count, "\(challenge) names a parameter twice")
        }
    }
}
