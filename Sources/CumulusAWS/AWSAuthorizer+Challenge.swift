// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

extension AWSAuthorizer {
    /// The statuses with which services report a wrong clock or expired keys.
    public var challengeStatuses: StatusSet { [.badRequest, .unauthorized, .forbidden] }

    /// Signs again: with the service's time if it reported a wrong clock, and with new keys if it reported expired
    /// ones.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        let date = challenge.headers[.date].flatMap { HTTPDate(parsing: $0) }
        let isHead = challenge.request.method == .head
        switch AWSRefusal(AWSError(body: challenge.body), isHead: isHead) {
        case .clock:
            guard let date, follow(date, of: challenge.request.origin, isTold: !isHead) else {
                return .stop(because: "the service says that this machine's clock is wrong, and doesn't tell the time")
            }
            return .again
        case .keys:
            return cache.forget(AWSRefusal.key(of: challenge.request))
                ? .again : .stop(because: "the service refused the AWS keys, and there are no newer ones")
        case .other: return .giveUp
        }
    }
}
