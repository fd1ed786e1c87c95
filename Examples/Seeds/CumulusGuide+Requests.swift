// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

extension CumulusGuide {
    struct Post: Codable, Sendable { var title: String }

    /// What a table on a screen shows.
    @MainActor final class Controller {
        var shown: [Post] = []
        var alert: String?
    }

    static func aBlock(on posts: Resource) -> RunningCall<[Post]> {
        // Original: "Simple Requests", getWithCompletionBlock:; 6 lines
        posts.call(.get, as: [Post].self).start { result in
            for post in (try? result.get()) ?? [] {
                print(post)
            }
        }
        // End
    }

    static func inline(on posts: Resource) async throws {
        // Original: "Simple Requests", inline; 2 lines
        let result = try await posts.get(as: [Post].self)
        print("posts: \(result)")
        // End
    }

    static func reuse(on user123: Resource, _ save: @escaping @MainActor @Sendable (Post) -> Void) -> RunningCall<
        Post
    > {
        // Original: "Simple Requests", RCCompletionBlock mappingBlock; 6 lines
        let mapping: @MainActor @Sendable (Result<Post, any Error>) -> Void = { result in
            if let object = try? result.get() { save(object) }
        }
        return user123.call(.get, as: Post.self).start(mapping)
        // End
    }

    static func userInterface(_ posts: Resource, _ controller: Controller) -> RunningCall<[Post]> {
        // Original: "Simple Requests", safe to call UI code; 9 lines
        posts.call(.get, as: [Post].self).start { result in
            // it's safe to call UI code here
            switch result {
            case .success(let posts): controller.shown = posts
            case .failure(let error): controller.alert = error.localizedDescription
            }
        }
        // End
    }

    static func payloads(_ myAccount: Resource, _ accountInformation: some Encodable & Sendable) async throws {
        // Original: "Simple Requests", PUT and POST; 12 lines
        let payload: JSON = ["username": "me", "password": "test"]
        myAccount.call(.post, body: payload).start { result in
            if (try? result.get().isSuccessful) != true { print("could not create account") }
        }
        let response = try await myAccount.put(body: accountInformation)
        if response.isSuccessful {
            print("Updated myAccount: \(response.text ?? "")")
        }
        // End
    }

    static func query(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", getWithQuery:; 1 line
        let response = try await posts.get(query: ["foo": "bar", "date": "today"])
        // End
        return response
    }

    static func arrays(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", foo[]=1&foo[]=2; 1 line
        let response = try await posts.get(query: ["foo": ["1", "2"]])
        // End
        return response
    }

    static func baseQuery(of site: Resource, token: String) async throws -> Response {
        // Original: "Simple Requests", site.query; 3 lines
        site.setRules { $0.query = ["TOKEN": token] }
        let posts = site["posts"]
        let response = try await posts.get(query: ["offset": 10, "limit": 10])
        // End
        return response
    }
}
