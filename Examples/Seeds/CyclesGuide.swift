// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Cycles' guide, sample for sample.
enum CyclesGuide {
    static func get(_ url: String) async throws {
        // Original: "Make a request", Cycle.get; 4 lines
        let response = try await REST["\(url)/timeline.json"].get()
        print("\(response.text ?? "")")
        // End
    }

    static func verbs(_ url: String) async throws -> [Response] {
        // Original: "Make a request", other HTTP methods; 15 lines
        let answers = [
            try await REST["\(url)/post"].post(),
            try await REST["\(url)/put"].put(),
            try await REST["\(url)/delete"].delete(),
            try await REST["\(url)/get"].head(),
        ]
        // End
        return answers
    }

    static func create(_ url: String) -> Call<Response> {
        // Original: "Make requests in 2 steps", Cycle(requestURL:); 2 lines
        let cycle = Resource("\(url)/timeline.json").call(.get)
        // End
        return cycle
    }

    static func start(_ cycle: Call<Response>) -> RunningCall<Response> {
        // Original: "Make requests in 2 steps", start(completionHandler:); 3 lines
        cycle.start({ result in
            // handle response
        })
        // End
    }

    static func startTrailing(_ cycle: Call<Response>) -> RunningCall<Response> {
        // Original: "Make requests in 2 steps", trailing closure; 3 lines
        cycle.start { result in
            // handle response
        }
        // End
    }

    static func keep(_ url: String) -> RunningCall<Response> {
        // Original: "Cancellation", Cycle.get; 4 lines
        let cycle = Resource("\(url)/slow").call(.get).start { _ in
            // ...
        }
        // End
        return cycle
    }

    /// `handle.cancel(.silent)` is the original's `cancel(true)`: the completion is not called.
    static func cancelled(
        _ cycle: Call<Response>,
        _ process: @escaping @MainActor @Sendable () -> Void
    ) -> RunningCall<Response> {
        // Original: "Cancellation", NSURLErrorCancelled; 7 lines
        cycle.start { result in
            if case .failure(is CancellationError) = result {
                process()
            }
        }
        // End
    }
}
