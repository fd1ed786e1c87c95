// SPDX-License-Identifier: Apache-2.0
// The README's first program. `Scripts/first-request.py` runs it against a service on this machine.

// snippet.program
import Cumulus

struct Repository: Decodable, Sendable {
    var name: String
    var language: String
}

@main
struct atlas {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "https://api.github.com"
        let api = Resource(url) { $0.timeout = .seconds(20) }
        let repository = try await api["repos/apple/swift-nio"].get(as: Repository.self)
        print(repository.name, repository.language)
    }
}
// snippet.end
