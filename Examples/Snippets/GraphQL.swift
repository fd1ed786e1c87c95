// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.client
/// Sends queries and mutations to a GraphQL service.
struct GraphQLClient: Sendable {
    private struct Reply<Value: Decodable & Sendable>: Decodable, Sendable { var data: Value }

    private let endpoint: Resource

    init(_ endpoint: Resource) {
        self.endpoint = endpoint.with { $0.errorDecoders = [.jsonMember("errors")] }
    }

    /// Returns the member `data` of the response, or throws the first of its `errors`.
    func send<Value: Decodable & Sendable>(
        _ query: String,
        variables: JSON = [:],
        as type: Value.Type
    ) async throws -> Value {
        let body: JSON = ["query": .string(query), "variables": variables]
        return try await endpoint.post(body: body, as: Reply<Value>.self).data
    }
}
// snippet.end

// snippet.use
struct RepositoryStars: Decodable, Sendable {
    struct Repository: Decodable, Sendable { var stargazerCount: Int }
    var repository: Repository?
}

func stars(of name: String, by owner: String, at site: Resource) async throws -> Int? {
    let client = GraphQLClient(site["graphql"])
    let query = "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { stargazerCount } }"
    let variables: JSON = ["owner": .string(owner), "name": .string(name)]
    do {
        return try await client.send(query, variables: variables, as: RepositoryStars.self).repository?.stargazerCount
    } catch let error as CumulusError where error.serviceError()?.code == "NOT_FOUND" {
        return nil
    }
}
// snippet.end
