// SPDX-License-Identifier: Apache-2.0
// The README's first program. `Scripts/first-request.py` runs it against a service on this machine.

// snippet.program
import Cumulus

struct Release: Decodable, Sendable {
    var name: String?
}

@main
struct Atlas {
    static func main() async throws {
        let github = Resource(CommandLine.arguments.dropFirst().first ?? "https://api.github.com")
        let releases = github["repos/apple/swift-nio/releases"]
        for try await release in releases.pages(of: Release.self).prefix(3) {
            print(release.name ?? "")
        }
    }
}
// snippet.end
