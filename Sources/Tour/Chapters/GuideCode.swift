// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Dispatch
import Synchronization

/// Chapter 10: the code that the guide's pages show, compiled from the same files (`Sources/Tour/Guide`), and run.
struct GuideCode {
    let url: String

    private var site: Resource {
        let site = Resource(url)
        site.credentials = .init(user: "ada", password: "lovelace")
        return site
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("The guide's own code")
        await visitHooks(&guide)
        await visitBothWays(&guide)
        await visitControl(&guide)
        await visitThreads(&guide)
    }

    private func visitHooks(_ guide: inout TourGuide) async {
        await guide.step("Pre-verifying a request", "let admin = guarded(site, isLoggedIn: { false })") {
            let site = site
            let login = Login()
            let admin = guarded(site) { login.holds }
            let error = try await failure { try await admin.get() }
            try promise(error.code == .refused, "\(error)")
            login.holds = true
            let checked = try await admin.get()
            try promise(checked.request.headers["X-Checked"] == "yes", "\(checked.request)")
            return "\(error)\nlogged in: \(checked.request) went out"
        }
        await guide.step("Processing results in the background", "HookingIn.install(on: site)") {
            let site = site
            let noisy = site["echo"].with { _ in }
            HookingIn.install(on: noisy)
            noisy.validators = []
            let text = try await noisy.post(.text("one\r\ntwo"), as: String.self)
            try promise(text == "one\ntwo", text)
            return "\(text.parts(at: "\n").count) lines, without carriage returns"
        }
        await guide.step(
            "Configuring logging; a request as a command",
            "WatchingRequests.logging(site)\ntry await WatchingRequests.curl(site)"
        ) {
            let site = site
            WatchingRequests.logging(site)
            site.logger = nil
            try await WatchingRequests.curl(site)
            return "printed above"
        }
        await guide.step("Each step of a call", "try await WatchingRequests.observing(site)") {
            let site = site
            let notes = Steps()
            site.observers = [notes]
            try await WatchingRequests.observing(site)
            try promise(notes.lines.count { $0.has("ended") } == 1, "\(notes.lines)")
            return notes.lines.joined(separator: "\n")
        }
        await guide.step("Using raw requests", "try await RawRequests.raw(site, at: \"127.0.0.1:...\")") {
            let authority = url.cut(at: ":").map { String($0.behind.dropping("/")) } ?? url
            let responses = try await RawRequests.raw(site, at: authority)
            let shown = responses.map { "\($0.request): \($0.status.code)" }
            try promise(responses.allSatisfy(\.isSuccessful), "\(shown)")
            return shown.joined(separator: "\n")
        }
    }

    private func visitBothWays(_ guide: inout TourGuide) async {
        await guide.step(
            "Both ways at once",
            "let answers = try await site.send(request, body: .stream(questions), as: ResponseStream.self)"
        ) {
            let (questions, ask) = AsyncStream.makeStream(of: [UInt8].self)
            ask.yield(Array("1".utf8))
            let request = HTTPRequest(method: "POST", url: "\(url)/chat")
            var told = ""
            for try await piece in try await site.send(request, body: .stream(questions), as: ResponseStream.self) {
                told += String(decoding: piece.bytes, as: UTF8.self)
                if told.utf8.count < 3 { ask.yield(Array("\(told.utf8.count + 1)".utf8)) } else { ask.finish() }
            }
            try promise(told == "123", told)
            return "asked and answered, one after the other: \(told)"
        }
    }

    private func visitControl(_ guide: inout TourGuide) async {
        await guide.step("Preparing, chaining, cancelling", "try await ControllingRequests.control(site)") {
            let site = site
            try await ControllingRequests.control(site)
            // A cancelled request is on the list until its task has noticed.
            for _ in 0..<1_000_000 where !site.runningRequests.isEmpty { await Task.yield() }
            try promise(site.runningRequests.isEmpty, "\(site.runningRequests)")
            return "done; nothing runs any more"
        }
        await guide.step(
            "Showing progress; limits, groups, scopes, closing",
            "try await ControllingRequests.control(many: site)"
        ) {
            let site = site
            try await ControllingRequests.control(many: site)
            let error = try await failure { try await site.get() }
            try promise(error.code == .shutdown, "\(error)")
            return "closed: \(error)"
        }
    }

    private func visitThreads(_ guide: inout TourGuide) async {
        await guide.step("Troubleshooting deadlocks", "try titles(site)  // blocks its thread") {
            let site = site
            let found = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<[String], any Error>) in
                DispatchQueue.global().async {
                    let result = Result { try titles(site) }
                    continuation.resume(with: result)
                }
            }
            let refusal = try await failure { try blockingHere(site) }
            try promise(!found.isEmpty && refusal.code == .wouldDeadlock, "\(found) \(refusal)")
            return "on a thread of its own: \(found.count) titles\nin a task: \(refusal)"
        }
    }

    private func blockingHere(_ site: Resource) throws -> [String] { try titles(site) }
}

/// Notes the events of calls.
private final class Steps: CallObserver {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    func observe(_ event: CallEvent) { state.withLock { $0.append("\(event.kind)") } }
}

/// Whether somebody is logged in.
private final class Login: Sendable {
    private let state = Mutex(false)

    var holds: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
