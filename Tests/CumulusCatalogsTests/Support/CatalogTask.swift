// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Testing

/// A task as the originals' tables, or the service's documentation, have it: what is sent, written down by hand.
struct CatalogTask<Client: Sendable>: Sendable, CustomTestStringConvertible {
    /// The task's name in the description.
    let name: String
    let method: String
    let path: String
    /// The query's or form's items, sorted by name, unescaped: `count=5&screen_name=ada`; of a JSON body its text.
    var sent: String
    /// What a call by name is given.
    let arguments: EndpointArguments
    /// What is answered.
    let answer: CannedAnswer
    /// The typed call, which has to send the same, and shows what it made of the answer.
    let typed: @Sendable (Client) async throws -> String
    var body: Payload?

    init(
        _ name: String,
        _ method: String,
        _ path: String,
        _ sent: String = "",
        _ arguments: EndpointArguments = [:],
        answer: CannedAnswer,
        body: Payload? = nil,
        typed: @escaping @Sendable (Client) async throws -> String
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.sent = sent
        self.arguments = arguments
        self.answer = answer
        self.body = body
        self.typed = typed
    }

    var testDescription: String { name }
}
