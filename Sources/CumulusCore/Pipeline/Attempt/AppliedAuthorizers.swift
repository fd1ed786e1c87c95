// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The authorizers that have contributed to a request: which one set its `Authorization` field, and which may respond
/// to a challenge.
///
/// The layers of settings may belong to different parties: a service, whose rule has an authorizer, and a user, whose
/// override has another. If the user's authorizer can't authorize a request, or its credentials are refused, the
/// request is never sent with the credentials of the service.
struct AppliedAuthorizers: Sendable {
    /// The index of the authorizer that set the request's `Authorization` field.
    private var author: Int?
    /// The layer of an authorizer that has no credentials yet and waits for a challenge.
    private var waitingLevel: Int?
    /// The indices of the authorizers that added something else, which doesn't compete with an `Authorization` field.
    private var others: Set<Int> = []
    /// The users whose credentials they added, by the authorizers' indices; empty unless they are needed.
    private(set) var users: [Int: AuthorizerIdentity?] = [:]

    /// Records the user of an authorizer that has just added its credentials: another user may log in at any time.
    mutating func noteUser(of bound: BoundAuthorizer, at index: Int) {
        users.updateValue(bound.authorizer.identity, forKey: index)
    }

    /// Records what an authorizer changed in a request.
    ///
    /// - Returns: Whether its `Authorization` may be sent.
    mutating func note(
        _ bound: BoundAuthorizer,
        at index: Int,
        given: EncodedRequest,
        made: EncodedRequest
    ) -> Bool {
        let (before, after) = (given.headers, made.headers)
        let addsCredentials = after[.authorization] != before[.authorization]
        // An authorizer that responds to no challenges has nothing more to add.
        if bound.authorizer.respondsToChallenges, !addsCredentials {
            if made.target != given.target || after != before {
                others.insert(index)
            } else if before[.authorization] == nil {
                waitingLevel = waitingLevel ?? bound.level
            }
        }
        guard addsCredentials else { return true }
        if author != nil || waitingLevel.map({ bound.level < $0 }) == true { return false }
        author = index
        return true
    }

    /// Records the only authorizer, if it set the `Authorization` field.
    mutating func noteAuthor(_ index: Int, of fields: HTTPFields, given: HTTPFields) {
        if fields.count > given.count, fields.contains(.authorization), !given.contains(.authorization) {
            author = index
        }
    }

    /// Whether an authorizer may respond to a 401 for the request.
    func mayRespond(_ bound: BoundAuthorizer, at index: Int, among authorizers: [BoundAuthorizer]) -> Bool {
        guard let level = author.map({ authorizers[$0].level }) ?? waitingLevel else { return true }
        return bound.level >= level || others.contains(index)
    }

    /// The authorizer whose refused credentials the response of another one replaces; `nil` if it replaces none.
    func replaced(by responding: Int) -> Int? { others.contains(responding) || author == responding ? nil : author }
}
