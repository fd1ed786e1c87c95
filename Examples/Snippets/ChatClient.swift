// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

// snippet.client
/// A client for the chat completions of OpenAI's API, which many servers of language models offer.
struct ChatClient: Sendable {
    struct Message: Codable, Sendable { var role, content: String }
    struct Usage: Decodable, Sendable { var promptTokens, completionTokens: Int }
    struct Part: Sendable {
        var text: String
        /// The number of tokens so far, which most servers send only with the last part.
        var usage: Usage?
    }

    private struct Question: Encodable, Sendable {
        var model: String
        var messages: [Message]
        var stream = true
        var streamOptions = ["include_usage": true]
    }
    private struct Chunk: Decodable, Sendable {
        struct Choice: Decodable, Sendable { var delta: Delta }
        struct Delta: Decodable, Sendable { var content: String? }
        var choices: [Choice]
        var usage: Usage?
    }

    private let model: String
    private let completions: Resource

    init(api: Resource, model: String, key: Secret<String>) {
        var coder = JSONCoder()
        (coder.decoding.keys, coder.encoding.keys) = (.convertFromSnakeCase, .convertToSnakeCase)
        self.model = model
        completions = api["chat/completions"].with {
            $0.authorizers = [.bearer(key)]
            $0.coders.registerJSON(coder)
            $0.errorDecoders = [.jsonMember("error")]
            // A question may be sent again, but not once the response's head has arrived.
            $0.retry = RetryPolicy(methods: RetryPolicy.idempotentMethods.union([.post]))
        }
    }

    /// The parts of a reply as they are written.
    ///
    /// If you leave the loop, the server can stop writing.
    func reply(to messages: [Message]) -> some AsyncSequence<Part, any Error> & Sendable {
        completions.call(.post, body: Question(model: model, messages: messages))
            .events(as: Chunk.self, until: "[DONE]")
            .map { Part(text: $0.choices.first?.delta.content ?? "", usage: $0.usage) }
    }
}
// snippet.end

// snippet.use
/// Prints a reply as it is written, and returns how many tokens it took.
func printReply(to question: String, by client: ChatClient) async throws -> Int? {
    var tokens: Int?
    for try await part in client.reply(to: [.init(role: "user", content: question)]) {
        print(part.text, terminator: "")
        fflush(nil)  // Otherwise, `print` shows text only when a line ends.
        tokens = part.usage?.completionTokens ?? tokens
    }
    return tokens
}
// snippet.end
