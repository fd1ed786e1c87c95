// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Changes the document at this place, unless another client has changed it in the meantime.
    ///
    ///     try await post.update(as: Post.self) { $0.title = "On anvils" }
    ///
    /// The document is fetched with its entity tag and decoded, your closure changes the value, and the value is
    /// written with `If-Match`. If the server responds with 412, all of this is repeated, up to 3 attempts in total. If
    /// the document already contains the change, because the response to an earlier attempt was lost, the update ends. If
    /// nothing changes, nothing is written. Each request is a separate call, with its own deadline.
    ///
    /// **By default, only the value is written: members of the document that your type doesn't have are lost.** A merge
    /// patch (``UpdateMethod/mergePatch``) sends only the members that you have changed, and the server keeps the
    /// others; if the server doesn't support PATCH, update the document as `JSON`, which retains all members.
    ///
    /// - Parameters:
    ///   - type: The type of the value that is decoded from the document and written back; the document must be JSON.
    ///   - method: How the change is sent: the whole value with PUT, or the changed members with PATCH.
    ///   - query: Query items merged over the inherited ones, for both requests.
    ///   - headers: Header fields merged over the inherited ones, for both requests.
    ///   - change: Changes the value; called again with the newer value after a 412. Any error that it throws ends the
    ///     update.
    /// - Returns: The value in the response to the write; the changed value if the response contains none.
    /// - Throws: ``CumulusError``: ``CumulusError/Code/conflict`` after the third 412;
    ///   ``CumulusError/Code/invalidRequest``, with nothing written, if the document has no strong entity tag;
    ///   ``CumulusError/Code/encoding`` if the value can't be encoded, or a merge patch can't express the change.
    ///   `CancellationError` if the task is cancelled.
    @discardableResult
    public func update<Value: Codable & Sendable>(
        as type: Value.Type,
        by method: UpdateMethod = .put,
        query: Query = [:],
        headers: Headers = [:],
        _ change: (inout Value) async throws -> Void
    ) async throws -> Value {
        var refused: UpdateAttempt?
        while true {
            let document = try await GuardedDocument(
                self,
                wanted: type,
                query: query,
                headers: headers,
                isFresh: refused != nil
            )
            var value = try await snapshot.pipeline.decoding.decode(document.response, as: type)
            let before = try document.encoded(value)
            // A change whose response was lost is refused when it is sent again: it may have been applied already.
            if let refused, refused.isWritten(in: before) { return value }
            try await change(&value)
            let after = try document.encoded(value)
            if before == after { return value }
            let payload = try document.payload(from: before, to: after, by: method)
            let answer = try await document.write(payload, by: method, to: self, query: query, headers: headers)
            guard answer.status == .preconditionFailed, let tag = document.entityTag else {
                return UpdateAttempt.value(of: try answer.requireSuccess(), as: type) ?? value
            }
            let rounds = (refused?.round ?? 0) + 1
            if rounds == UpdateAttempt.mostRounds {
                throw UpdateConflict(rounds: rounds, entityTag: tag).error(after: answer)
            }
            refused = UpdateAttempt(
                round: rounds,
                before: before,
                after: after,
                mayBeWritten: answer.mayAnswerARepetition
            )
        }
    }
}

/// A change that was refused.
private struct UpdateAttempt {
    static let mostRounds = 3

    let round: Int
    /// The value before and after the change.
    let before: JSON
    let after: JSON
    /// Whether the request was sent before, with a response that was lost: only then may it be the one that changed the
    /// document.
    let mayBeWritten: Bool

    /// Whether the document's value already contains the change, perhaps beside one by somebody else.
    func isWritten(in value: JSON) -> Bool {
        guard mayBeWritten, value != before else { return false }
        guard let change = try? before.mergePatch(to: after) else { return value == after }
        return value.applying(mergePatch: change) == value
    }

    /// The document in the response to a write; `nil` if there is none, or it is something else.
    static func value<Value: Decodable>(of answer: Response, as type: Value.Type) -> Value? {
        answer.bytes.isEmpty ? nil : try? answer.decode(as: type)
    }
}

extension UpdateConflict {
    /// The error, with the last response.
    package func error(after answer: Response) -> CumulusError {
        CumulusError(
            .conflict,
            stage: .recovery,
            description,
            request: answer.request,
            response: answer,
            cause: self
        )
    }
}

extension GuardedDocument {
    /// A value, encoded into this document as the place's coder would.
    fileprivate func encoded(_ value: some Encodable & Sendable) throws -> JSON {
        try checked {
            let type = response.mediaType
            let target = response.request.target
            let encoded = try response.coders.encode(value, named: nil, declared: type, target: target)
            do {
                return try encoded.bytes.withUnsafeBytes { try JSON(parsing: $0) }
            } catch {
                throw CodingProblem("only JSON documents can be updated, but this is \(encoded.type.essence)")
            }
        }
    }

    fileprivate func checked<Result>(_ work: () throws -> Result) throws -> Result {
        try Stage.run(.encoding, .encoding, request: response.request, response: response, work)
    }
}

/// How a changed document is sent: ``Resource/update(as:by:query:headers:_:)``.
public enum UpdateMethod: Sendable, Hashable, CaseIterable {
    /// Sends the whole changed value with PUT: members of the document that its type doesn't have are lost.
    case put
    /// Sends the members that differ with PATCH, as a JSON Merge Patch (RFC 7396); other members are kept. Lists are
    /// sent as a whole.
    case mergePatch
}

/// The failure of an update because another client changed the document each time: the cause of an error with
/// ``CumulusError/Code/conflict``.
public struct UpdateConflict: Error, Sendable, Hashable {
    /// The number of times the document was fetched and the change was refused.
    public let rounds: Int
    /// The entity tag that guarded the last change.
    public let entityTag: String

    package init(rounds: Int, entityTag: String) {
        self.rounds = rounds
        self.entityTag = entityTag
    }
}

extension UpdateConflict: CodedProblem {
    var code: CumulusError.Code { .conflict }

    /// A description of the problem.
    public var description: String {
        let times = rounds == 1 ? "" : ", \(rounds) times"
        return "another client changed the document before this change could be written\(times)"
    }
}
