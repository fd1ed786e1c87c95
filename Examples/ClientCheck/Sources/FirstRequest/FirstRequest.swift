// SPDX-License-Identifier: Apache-2.0
// The program that the README asks for first.

// snippet.program
import Cumulus

@main
struct atlas {
    static func main() async throws {
        let posts = Resource("https://api.example.com/posts")
        print(try await posts.get(as: JSON.self))
    }
}
// snippet.end
