// SPDX-License-Identifier: Apache-2.0

import Cumulus

func stopping(_ site: Resource) async throws {
    // snippet.task
    let task = Task { try await site["report"].get(as: String.self) }
    task.cancel()  // the request ends, wherever it is waiting
    do {
        print(try await task.value)
    } catch is CancellationError {
        print("stopped")  // not a CumulusError: nothing went wrong
    }
    // snippet.end

    // snippet.running
    let running = site["report"].call(.get).start { result in print(result) }
    running.cancel()  // the closure gets CancellationError; with `running.cancel(.silent)` it isn't called
    // snippet.end

    // snippet.awaited
    let upload = site["report"].call(.put, .text("draft")).start()
    let response = try await withTaskCancellationHandler {
        try await upload.value
    } onCancel: {
        upload.cancel()
    }
    // snippet.end
    print(response.status)

    // snippet.several
    site["reports"].cancelAll()  // all running requests there and below
    for call in site.runningCalls where call.userInfo["screen"] as? String == "search" { call.cancel() }
    // snippet.end
}

// snippet.scope
/// A screen whose requests end with it.
@MainActor final class ReportScreen {
    private let requests = RequestScope()  // cancels its running requests when it is released
    private(set) var report = ""

    func load(from site: Resource) async throws {
        report = try await requests.run { try await site["report"].get(as: String.self) }
    }
}
// snippet.end
