// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Runs steps, prints each call with its answer, and keeps count.
struct TourGuide {
    private var passed = 0
    private var failed = 0

    /// Why a step's answer was not what the guide promises.
    struct Surprise: Error, CustomStringConvertible {
        let description: String
    }

    /// Begins a chapter of the guide.
    func chapter(_ title: String) { print("\n== \(title) ==") }

    /// Runs one step: `code` is what a reader would write, `run` does it and tells what came of it.
    mutating func step(_ title: String, _ code: String, _ run: () async throws -> String) async {
        print("\n\(passed + failed + 1). \(title)")
        for line in code.parts(at: "\n") { print("     \(line)") }
        do {
            for line in try await run().parts(at: "\n", omitsEmpty: true) { print("  -> \(line)") }
            passed += 1
        } catch {
            fail("This step failed", error)
        }
    }

    /// Notes a failure.
    mutating func fail(_ what: String, _ error: any Error) {
        print("  !! \(what): \(error)")
        failed += 1
    }

    /// Prints the count and gives the program's exit status.
    func finish() -> Int32 {
        print(failed == 0 ? "\n\(passed) steps passed" : "\n\(passed) steps passed, \(failed) failed")
        return failed == 0 ? 0 : 1
    }
}

/// Ends a step as failed unless the guide's promise holds.
func promise(_ holds: Bool, _ otherwise: String) throws {
    if !holds { throw TourGuide.Surprise(description: otherwise) }
}

/// The error that a call must end with.
func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
    do {
        _ = try await call()
    } catch let error as CumulusError {
        return error
    }
    throw TourGuide.Surprise(description: "the call succeeded, but should have failed")
}
