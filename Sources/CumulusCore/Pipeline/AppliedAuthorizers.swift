// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Which authorizers have added what to a request: whose identity it shows, and who may answer for it.
///
/// The layers of settings may belong to different people: a service, whose rule has an authorizer, and a user, whose
/// override has another. A request that the user's one can't prove, or whose proof is refused, never becomes the
/// service's.
struct AppliedAuthorizers: Sendable {
    /// The authorizer whose `Authorization` the request has.
    private var author: Int?
    /// The layer whose authorizer has no proof yet: it waits for a challenge.
    private var waitingLevel: Int?
    /// Those that added something else, which competes with nobody's proof.
    private var others: Set<Int> = []

    /// Notes what an authorizer made of a request.
    ///
    /// - Returns: Whether its `Authorization` may be sent.
    mutating func note(
        _ bound: BoundAuthorizer,
        at index: Int,
        given: HTTPFields,
        made: HTTPFields,
        changesTarget: Bool = false
    ) -> Bool {
        let addsCredentials = made[.authorization] != given[.authorization]
        // An authorizer that answers no challenges has said all it will.
        if bound.authorizer.answersChallenges, !addsCredentials {
            if changesTarget || made != given {
                others.insert(index)
            } else if given[.authorization] == nil {
                waitingLevel = waitingLevel ?? bound.level
            }
        }
        guard addsCredentials else { return true }
        if author != nil || waitingLevel.map({ bound.level < $0 }) == true { return false }
        author = index
        return true
    }

    /// Notes the only authorizer, if its proof is an `Authorization` field.
    mutating func noteAuthor(_ index: Int, of fields: HTTPFields) {
        if fields.contains(.authorization) { author = index }
    }

    /// Whether an authorizer may answer a refusal of the request's identity (401).
    func mayAnswer(_ bound: BoundAuthorizer, at index: Int, among authorizers: [BoundAuthorizer]) -> Bool {
        guard let level = author.map({ authorizers[$0].level }) ?? waitingLevel else { return true }
        return bound.level >= level || others.contains(index)
    }

    /// The author of a refused proof whom another authorizer's answer replaces.
    func replaced(by answering: Int) -> Int? { others.contains(answering) || author == answering ? nil : author }
}
