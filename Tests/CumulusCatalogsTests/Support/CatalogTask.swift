// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices
import Testing

/// A task in the predecessors' tables, or in the service's documentation: the expected request, written by hand.
struct CatalogTask<Client: Sendable>: Sendable, CustomTestStringConvertible {
    /// The task's name in the description.
    let name: String
    let method: String
    let path: String
    /// The items of the query or form, sorted by name, unescaped: `count=5&screen_name=ada`; the text of a JSON body.
    var sent: String
    /// The arguments of a call by name.
    let arguments: EndpointArguments
    /// The answer.
    let answer: CannedAnswer
    /// The typed call, which must send the same, and returns its result for the answer.
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
