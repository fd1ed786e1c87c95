// SPDX-License-Identifier: Apache-2.0
// The program that the README asks for first.

// snippet.program
import Cumulus

@main
struct atlas {
    static func main() async throws {
        let api = Resource("https://api.github.com") { $0.timeout = .seconds(20) }
        let repository = try await api["repos/apple/swift-nio"].get(as: JSON.self)
        print(repository["full_name"].string ?? "", repository["default_branch"].string ?? "")
    }
}
// snippet.end
