// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// RESTClient's guide, Cumulus' under its first name: the samples that the later one no longer has.
enum RESTClientGuide {
    static func settings(of site: Resource) {
        // Original: "Creating Resources", site.contentType; 3 lines
        site.setRules {
            $0.contentType = .json
            $0.timeout = .seconds(20)
            $0.headers["X-MyCustomHeader"] = "foo"
        }
        // End
    }

    static func pairs(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", arrayWithObjects:@"bar",@"foo"; 1 line
        let response = try await posts.get(query: ["foo": "bar", "date": "today"])
        // End
        return response
    }

    static func dictionary(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", dictionaryWithObject:@"bar"; 1 line
        let response = try await posts.get(query: ["foo": "bar"])
        // End
        return response
    }

    /// The original ignores everything that follows the dictionary, so there is nothing else to write.
    static func dictionaryFirst(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", anything after a dictionary; 1 line
        let response = try await posts.get(query: ["foo": "bar"])
        // End
        return response
    }

    static func arrays(on posts: Resource) async throws -> Response {
        // Original: "Simple Requests", foo[]=1&foo[]=2&date=today; 1 line
        let response = try await posts.get(query: ["foo": ["1", "2"], "date": "today"])
        // End
        return response
    }
}
