// SPDX-License-Identifier: Apache-2.0
// The README's first program. `Scripts/first-request.py` runs it against a service on this machine.

// snippet.program
import Cumulus

@main
struct atlas {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "https://api.github.com"
        let api = Resource(url) { $0.timeout = .seconds(20) }
        let repository = try await api["repos/apple/swift-nio"].get(as: JSON.self)
        print(repository["full_name"].string ?? "", repository["default_branch"].string ?? "")
    }
}
// snippet.end
