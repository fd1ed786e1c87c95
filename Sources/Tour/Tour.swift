// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `swift run tour`: starts a small REST service on loopback and shows the library's main job against it, step by step.
@main
struct Tour {
    static func main() async {
        var guide = TourGuide()
        do {
            let identities = OAuth2Service()
            let server = try await LoopbackServer.start { routes in
                BlogService().install(in: &routes)
                AccountService(identities: identities).install(in: &routes)
                FileService().install(in: &routes)
                EventService().install(in: &routes)
                identities.install(in: &routes)
            }
            print("A small blog is running at \(server.url), on this machine only.")
            try await Places(url: server.url).visit(&guide)
            try await Values(url: server.url).visit(&guide)
            try await Failures(url: server.url).visit(&guide)
            try await Logins(url: server.url, identities: identities).visit(&guide)
            try await Retries(url: server.url).visit(&guide)
            try await Lists(url: server.url).visit(&guide)
            try await Streams(url: server.url).visit(&guide)
            try await Files(url: server.url).visit(&guide)
            try await Services(url: server.url).visit(&guide)
            try await Doubles().visit(&guide)
            await server.shutdown()
            print("\n\(guide.passed) steps passed")
        } catch {
            print("  !! \(error)")
            exit(1)
        }
    }
}

/// Runs the steps, prints each with its response, and counts them; the first that fails ends the tour.
struct TourGuide {
    private(set) var passed = 0
    private var isFirstOfChapter = false

    /// Why the tour has ended early.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Begins a chapter.
    mutating func chapter(_ title: String) {
        print("\n== \(title) ==")
        isFirstOfChapter = true
    }

    /// Runs one step: `code` is what a reader would write, `run` does it, checks it, and tells what came of it.
    mutating func step(_ title: String, _ code: String, _ run: () async throws -> String) async throws {
        if !isFirstOfChapter { print() }
        isFirstOfChapter = false
        print("\(passed + 1). \(title)")
        for line in lines(of: code) { print("     \(line)") }
        do {
            for line in lines(of: try await run()) { print("  -> \(line)") }
        } catch {
            throw Failure(description: "step \(passed + 1), \"\(title)\", failed: \(error)")
        }
        passed += 1
    }
}

private func lines(of text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
}

/// Ends a step as failed unless what it promises holds; `found` is what was found in place of it.
func check(_ holds: Bool, _ found: @autoclosure () -> String) throws {
    if !holds { throw TourGuide.Failure(description: "unexpected: \(found())") }
}

/// The error that a call must end with.
func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
    do {
        _ = try await call()
    } catch let error as CumulusError {
        return error
    }
    throw TourGuide.Failure(description: "the call succeeded, but should have failed")
}
