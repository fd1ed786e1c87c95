// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Changes the document at this place, unless someone else has changed it in the meantime.
    ///
    ///     try await post.update(as: Post.self) { $0.title = "On anvils" }
    ///
    /// The document is fetched with its entity tag, your closure changes the value, and the difference is written with
    /// `If-Match`. If the server answers 412, all of this is repeated, at most 3 times in total, unless the document
    /// already contains the change because the answer to an earlier attempt was lost. The difference is
    /// applied to the document as received: members that your type doesn't have, their order, and numbers that it can't
    /// represent are kept. If nothing changes, nothing is written. Each request is a separate call, with its own
    /// deadline.
    ///
    /// - Parameters:
    ///   - type: The type that the document is decoded as and encoded from; the document must be JSON.
    ///   - method: How the change is sent: the whole document with PUT, or the difference with PATCH.
    ///   - query: Query items merged over the inherited ones, for both requests.
    ///   - headers: Header fields merged over the inherited ones, for both requests.
    ///   - change: Changes the value; called again with the newer one after a 412. Any error that it throws ends the
    ///     update.
    /// - Returns: The value in the response to the write; the changed value if there is none.
    /// - Throws: ``CumulusError``: ``CumulusError/Code/conflict`` after the third 412;
    ///   ``CumulusError/Code/invalidRequest``, with nothing written, if the document has no strong entity tag;
    ///   ``CumulusError/Code/encoding`` if the difference can't be written. `CancellationError` if the task is
    ///   cancelled.
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
            // A change whose response was lost is refused when it is sent again: it may have been applied already.
            if let refused, refused.isWritten(in: try document.json) { return value }
            let before = try document.encoded(value)
            try await change(&value)
            let after = try document.encoded(value)
            if before == after { return value }
            let json = try document.json
            let changed = try document.checked { try json.carrying(from: before, to: after) }
            if changed == json { return value }
            let payload = try document.payload(to: changed, by: method)
            let answer = try await document.write(payload, by: method, to: self, query: query, headers: headers)
            guard answer.status == .preconditionFailed else {
                return UpdateAttempt.value(of: try answer.requireSuccess(), as: type) ?? value
            }
            let rounds = (refused?.round ?? 0) + 1
            if rounds == UpdateAttempt.mostRounds {
                throw UpdateConflict(rounds: rounds, entityTag: document.entityTag).error(after: answer)
            }
            refused = UpdateAttempt(
                round: rounds,
                before: json,
                after: changed,
                mayBeWritten: answer.mayAnswerARepetition
            )
        }
    }
}

/// A change that was refused.
private struct UpdateAttempt {
    static let mostRounds = 3

    let round: Int
    let before: JSON
    let after: JSON
    /// Whether the request was sent before, with an answer that was lost: only then may it be the one that changed the
    /// document.
    let mayBeWritten: Bool

    /// Whether a document already contains the change.
    func isWritten(in document: JSON) -> Bool {
        guard mayBeWritten, document != before else { return false }
        return (try? document.carrying(from: before, to: after)) == document
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
            stage: .verdict,
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
