// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension AWSAuthorizer {
    /// What services answer to a wrong clock or expired keys.
    public var challengeStatuses: StatusSet { [.badRequest, .unauthorized, .forbidden] }

    /// Signs again by the service's clock if it found ours wrong, and with new keys if it called these expired.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        let date = challenge.headers[.date].flatMap { HTTPDate(parsing: $0) }
        let isHead = challenge.request.method == .head
        switch AWSRefusal(AWSError(body: challenge.body), isHead: isHead) {
        case .clock:
            guard let date, follow(date, of: challenge.request.origin, isTold: !isHead) else { return .giveUp }
            return .again
        case .keys:
            return cache.forget(AWSRefusal.key(of: challenge.request)) ? .again : .giveUp
        case .other: return .giveUp
        }
    }
}
