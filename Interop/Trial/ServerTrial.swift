// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import HTTPTypes
import Synchronization

/// Requests of many kinds to one server, each of whose responses is checked.
///
/// The servers' programs are in `Interop/Servers`: `bytes/N` is N bytes, `echo` tells length and digest of what it got
/// and writes the request's number to a file, `early/CODE` answers without reading the body. Those of Go and Node have
/// `trailers`, too, which returns the length of the body and the trailer X-Sum.
package struct ServerTrial: Sendable {
    /// The header field with the number of a request that must not arrive twice.
    static let number: HTTPField.Name = HTTPField.Name("X-Trial-Number") ?? .referer

    package let server: ServerUnderTrial
    let content: TrialContent
    let site: Resource
    /// What this trial's numbers begin with.
    package let mark: String
    private let sent = TrialCounter()
    private let connections = TrialCounter()

    /// - Parameters:
    ///   - server: The server.
    ///   - content: Bodies of all sizes that will be sent.
    ///   - transport: A transport that trusts its certificate.
    ///   - mark: What the numbers of this trial's requests begin with; no other trial of the same servers has it.
    package init(_ server: ServerUnderTrial, content: TrialContent, transport: any Transport, mark: String) {
        self.server = server
        self.content = content
        self.mark = mark
        // Some servers send an upload of 100 MB back.
        site = Resource(server.url, transport: transport) { $0.maxBodySize = .max }
        site.setRules { $0.httpVersion = server.version }
        // A server that hangs is a failure of this request, not the end of all others.
        site.setRules { $0.deadline = .seconds(60) }
    }

    // MARK: - Steps

    /// GETs of a size.
    package func gets(_ count: Int, atOnce: Int, size: Int = 1_000) async -> TrialResult {
        await step("GET \(size), \(atOnce) at once", count, atOnce) { _ in
            try content.check(await site[path: "bytes/\(size)"].get(), is: size)
        }
    }

    /// POSTs, in turn of these sizes.
    package func posts(_ count: Int, atOnce: Int, sizes: [Int]) async -> TrialResult {
        let largest = sizes.max() ?? 0
        return await step("POST to \(largest), \(atOnce) at once", count, atOnce) { index in
            try await post(sizes[index % sizes.count])
        }
    }

    /// POSTs of one size, whose time and connections are compared with curl's.
    package func rounds(_ count: Int, atOnce: Int, size: Int) async -> TrialResult {
        let before = connections.count
        var result = await step("rounds of \(size), \(atOnce) at once", count, atOnce) { _ in try await post(size) }
        result.connections = connections.count - before
        return result
    }

    /// Uploads of the content's file.
    package func uploads(_ count: Int, atOnce: Int) async -> TrialResult {
        await step("upload of \(content.size), \(atOnce) at once", count, atOnce) { _ in
            let response = try await site["echo"].post(.file(content.file), headers: nextNumber())
            try content.check(response, got: content.size, isEchoed: server.echoesBodies)
        }
    }

    /// Requests with a header field of 64 KB, which a server may refuse as too large.
    package func largeHeads(_ count: Int, atOnce: Int) async -> TrialResult {
        // With the other fields below nghttp2's limit of 65,536, which many servers have.
        let token = String(repeating: "0123456789abcdef", count: 3_900)
        return await step("head of 64 KB, \(atOnce) at once", count, atOnce) { _ in
            let response: Response
            do {
                response = try await site[path: "bytes/1000"].get(headers: ["X-Token": token])
            } catch let error as CumulusError where error.code == .invalidRequest {
                // Larger than the server has announced.
                return
            }
            if [400, 413, 414, 431].contains(response.status.code) { return }
            try content.check(response, is: 1_000)
        }
    }

    /// POSTs with small heads among others with heads of 20 KB, which a server may refuse or end a connection for.
    package func mixedHeads(_ count: Int, atOnce: Int) async -> TrialResult {
        let token = String(repeating: "0123456789abcdef", count: 1_250)
        return await step("mixed with heads of 20000, \(atOnce) at once", count, atOnce) { index in
            if index % 10 == 3 {
                _ = try? await site[path: "bytes/1000"].get(headers: ["X-Token": token])
            } else {
                try await post(1_000)
            }
        }
    }

    /// Bodies that are answered before they have arrived, each followed by a POST that must not be lost.
    package func earlyAnswers(_ count: Int, atOnce: Int, code: Int, size: Int) async -> TrialResult {
        await step("early \(code) to \(size), \(atOnce) at once", count, atOnce) { _ in
            let response = try await site[path: "early/\(code)"].post(content.body(size))
            // A proxy says 502 where the server behind it has closed before it took all.
            guard [code, 502].contains(response.status.code) else {
                throw WrongAnswer("status \(response.status.code) not \(code)")
            }
            do { try await post(1_000) } catch { throw WrongAnswer("the next POST: \(error)") }
        }
    }

    func post(_ size: Int) async throws {
        let response = try await site["echo"].post(content.body(size), headers: nextNumber())
        if !response.facts.isReused { _ = connections.next() }
        try content.check(response, got: size, isEchoed: server.echoesBodies)
    }

    private func nextNumber() -> Headers { [.init(Self.number): "\(mark)-\(sent.next())"] }

    // MARK: - Repeating

    /// Runs a request `count` times, so many at once, and collects what failed.
    func step(
        _ name: String,
        _ count: Int,
        _ atOnce: Int,
        _ request: @escaping @Sendable (Int) async throws -> Void
    ) async -> TrialResult {
        let turn = TrialCounter()
        let failures = TrialFailures()
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(atOnce, count) {
                group.addTask {
                    while case let index = turn.next(), index < count {
                        do { try await request(index) } catch { failures.add(error, of: index) }
                    }
                }
            }
        }
        let reasons = failures.all
        return TrialResult(
            step: name,
            requests: count,
            failures: reasons.count,
            unanswered: failures.unanswered,
            reasons: Array(reasons.prefix(3)),
            time: ContinuousClock.now - start
        )
    }
}

/// Numbers in order, for many tasks.
private final class TrialCounter: Sendable {
    private let value = Atomic<Int>(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }

    /// How often it was counted.
    var count: Int { value.load(ordering: .relaxed) }
}

/// What many tasks have seen fail.
private final class TrialFailures: Sendable {
    private let failures = Mutex<(texts: [String], unanswered: Int)>(([], 0))

    var all: [String] { failures.withLock(\.texts) }
    var unanswered: Int { failures.withLock(\.unanswered) }

    func add(_ error: any Error, of index: Int) {
        let isUnanswered = (error as? CumulusError)?.code == .connectionClosed
        failures.withLock { failures in
            failures.texts.append("#\(index): \(error)")
            if isUnanswered { failures.unanswered += 1 }
        }
    }
}
