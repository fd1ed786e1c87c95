// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Logging
import Synchronization

/// Chapter 6: without a server, outside the program, and only what has changed.
struct Workshop {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("In the workshop")
        await visitFixtures(&guide)
        await visitRequests(&guide)
    }

    private func visitFixtures(_ guide: inout TourGuide) async {
        let draft = site["drafts"].with { _ in }
        await guide.step(
            "A fixture answers in place of the server",
            "let drafts = site[\"drafts\"]\ndrafts.fixtures[.get] = .json([Post(title: \"Not yet\")])"
        ) {
            draft.fixtures[.get] = .json([Post(id: 9, title: "Not yet")])
            let posts = try await draft.get(as: [Post].self)
            try promise(posts.first?.title == "Not yet", "\(posts)")
            return "\(posts.count) post: \(posts.first?.title ?? "")"
        }
        await guide.step(
            "With fixtures only, nothing is sent",
            "drafts.fixtureUse = .only\ntry await drafts.post(Post(title: \"x\"))"
        ) {
            draft.fixtureUse = .only
            let error = try await failure { try await draft.post(Post(title: "x")) }
            try promise(error.code == .fixture, "\(error)")
            return "\(error)"
        }
    }

    private func visitRequests(_ guide: inout TourGuide) async {
        await guide.step(
            "Each phase is a line in the log",
            "var logger = Logger(label: \"tour\")\nlogger.logLevel = .debug\nsite.logger = logger"
        ) {
            let lines = LogLines()
            let loud = site["posts/1"].with { $0.logger = lines.logger }
            try await loud.get(query: ["token": "secret"]).requireSuccess()
            let text = lines.text
            try promise(text.has("answered 200") && !text.has("secret"), text)
            return text
        }
        await guide.step(
            "A request as a command for curl",
            "try await site[\"posts\"].curl(.post, .json([\"title\": \"It's raining\"]))"
        ) {
            let command = try await site["posts"].curl(.post, .json(["title": "It's raining"]))
            try promise(command.begins(with: "curl ") && !command.has("lovelace"), command)
            return command
        }
        await guide.step(
            "Fetch only if it has changed",
            "news.tracksRevisions = true\ntry await news.get()\ntry await news.get()"
        ) {
            let news = site["news"]
            news.tracksRevisions = true
            let (first, second) = (try await news.get(), try await news.get())
            try promise(first.isSuccessful && second.isNotModified, "\(first), \(second)")
            return
                "\(first.status.code) with \(first.bytes.count) bytes\n\(second.status.code) with \(second.bytes.count)"
        }
        await guide.step(
            "Write only if nobody else has changed it",
            "news.conditions = .ifUnchanged\ntry await news.put(.text(\"sunny\"))"
        ) {
            let news = site["news"]
            news.tracksRevisions = true
            news.conditions = .ifUnchanged
            let saved = try await news.put(.text("sunny"))
            let tooLate = try await news.put(.text("cloudy"))
            try promise(saved.isSuccessful && tooLate.status == .preconditionFailed, "\(saved), \(tooLate)")
            return "\(saved.status.code), and with the old tag \(tooLate.status.code)"
        }
        await guide.step(
            "Headers and query across launches",
            "let archive = site.preservedState().archived()\nother.restore(try PreservedState(archived: archive))"
        ) {
            let (here, other) = (site["a"], site["b"])
            here.headers["X-Install"] = "4711"
            here.headers[.authorization] = "Bearer secret"
            other.restore(try PreservedState(archived: here.preservedState().archived()))
            try promise(other.headers["X-Install"] == "4711" && other.headers[.authorization] == nil, "not restored")
            return "\(other.headers)"
        }
    }
}

/// A log in memory.
private final class LogLines: Sendable {
    private let stored = Mutex<[String]>([])

    var text: String { stored.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "tour") { _ in Sink(lines: self) }
        logger.logLevel = .debug
        return logger
    }

    private struct Sink: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.debug
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.stored.withLock { $0.append("\(event.message)") } }
    }
}
