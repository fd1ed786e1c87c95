// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Cycles' guide, sample for sample.
enum CyclesGuide {
    static func get(_ url: String) async throws {
        // Original: "Make a request", Cycle.get; 4 lines
        let response = try await REST.get("\(url)/timeline.json")
        print("\(response.text ?? "")")
        // End
    }

    static func verbs(_ url: String) async throws -> [Response] {
        // Original: "Make a request", other HTTP methods; 15 lines
        let answers = [
            try await REST.post("\(url)/post"),
            try await REST.put("\(url)/put"),
            try await REST.delete("\(url)/delete"),
            try await REST.head("\(url)/get"),
        ]
        // End
        return answers
    }

    static func create(_ url: String) -> PreparedRequest<Response> {
        // Original: "Make requests in 2 steps", Cycle(requestURL:); 2 lines
        let cycle = Resource("\(url)/timeline.json").prepare(.get)
        // End
        return cycle
    }

    static func start(_ cycle: PreparedRequest<Response>) -> RequestHandle<Response> {
        // Original: "Make requests in 2 steps", start(completionHandler:); 3 lines
        cycle.start(completion: { result in
            // handle response
        })
        // End
    }

    static func startTrailing(_ cycle: PreparedRequest<Response>) -> RequestHandle<Response> {
        // Original: "Make requests in 2 steps", trailing closure; 3 lines
        cycle.start { result in
            // handle response
        }
        // End
    }

    static func keep(_ url: String) -> RequestHandle<Response> {
        // Original: "Cancellation", Cycle.get; 4 lines
        let cycle = Resource("\(url)/slow").prepare(.get).start { _ in
            // ...
        }
        // End
        return cycle
    }

    /// `handle.cancel(.silent)` is the original's `cancel(true)`: the completion is not called.
    static func cancelled(
        _ cycle: PreparedRequest<Response>,
        _ process: @escaping @MainActor @Sendable () -> Void
    ) -> RequestHandle<Response> {
        // Original: "Cancellation", NSURLErrorCancelled; 7 lines
        cycle.start { result in
            if case .failure(is CancellationError) = result {
                process()
            }
        }
        // End
    }
}
