// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Sends a GET on a connection that is kept, between two marks; `Scripts/trace-get.py` traces what runs between them.
@main
struct OneGet {
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else { return print("usage: OneGet URL") }
        let site = Resource(CommandLine.arguments[1])
        // What only the first requests do is left out: making the settings' snapshot, connecting.
        for _ in 1...3 { _ = try await site.get() }
        begin()
        let answer = try await site.get()
        end()
        _ = try answer.requireSuccess()
    }

    /// Where the trace begins.
    @inline(never)
    static func begin() {}

    /// Where it ends.
    @inline(never)
    static func end() {}
}
