// SPDX-License-Identifier: Apache-2.0
// The README's first program. `Scripts/first-request.py` runs it against a service on this machine.

// snippet.program
import Cumulus
import Foundation

struct Repository: Decodable, Sendable {
    var name: String
    var language: String?
}

struct Release: Decodable, Sendable {
    var name: String?
}

@main
struct Atlas {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "https://api.github.com"
        let github = Resource(url) {
            $0.timeout = .seconds(20)
            if let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"] {
                $0.authorizers = [.bearer(token)]
            }
        }
        let project = github["repos/apple/swift-nio"]

        let repository = try await project.get(as: Repository.self)
        print(repository.name, repository.language ?? "")

        for try await release in project["releases"].pages(of: Release.self).prefix(3) {
            print(release.name ?? "")
        }
    }
}
// snippet.end
