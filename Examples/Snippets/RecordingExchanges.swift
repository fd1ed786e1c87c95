// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

func recordingExchanges() async throws {
    // snippet.record
    let site = Resource("https://api.example.com") {
        $0.transport = .recording(to: "Recordings/posts.har", over: DefaultTransport.shared)
    }
    let posts = try await site["posts"].get(as: JSON.self)  // sent in the first run, replayed in all others
    // snippet.end
    _ = posts
}

func replayingExchanges() async throws {
    // snippet.replay
    let site = Resource("https://api.example.com") {
        $0.transport = .replaying(from: "Recordings/posts.har")
    }
    do {
        _ = try await site["users"].get()
    } catch let error as CumulusError {
        let problem = error.cause as? RecordingProblem
        print(problem?.kind == .unknownRequest, error)  // with the most similar request, and the difference
    }
    // snippet.end
}

func matchingExchanges() {
    // snippet.match
    var options = RecordingOptions()
    options.matchedFields = [.acceptLanguage]
    options.matchesBodies = true
    options.secretNames = ["X-Membership"]
    let site = Resource("https://api.example.com") {
        $0.transport = .recording(to: "Recordings/posts.har", .new, over: DefaultTransport.shared, options: options)
    }
    // snippet.end
    _ = site
}
