// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Calls written as those write them who have not read the documentation.
@Suite(.timeLimit(.minutes(10))) struct GuessedCallTests {
    private let echo = Echo()

    private func site(_ answer: @escaping @Sendable (StubRequest) -> StubResponse) -> Resource {
        Resource("https://api.example.com", transport: StubTransport { request in answer(request) })
    }

    /// Callbacks are for code that can't wait, so this is some.
    private func start(
        _ site: Resource,
        _ told: @escaping @MainActor @Sendable (String) -> Void
    ) -> [RunningCall<Response>] {
        site.call(.get, as: [Int].self).start { result in told("get \((try? result.get()) ?? [])") }
        site.call(.head).start { result in told("head \((try? result.get()) != nil)") }
        site["missing"].call(.delete, as: JSON.self).start { result in
            if case .failure(let error as CumulusError) = result { told("delete \(error.statusCode ?? 0)") }
        }
        return [
            site.call(.get).start { result in told("status \((try? result.get())?.statusCode ?? 0)") },
            site.call(.post, ["n": 1, "name": "x"]).start { result in
                told("post \((try? result.get())?.statusCode ?? 0)")
            },
        ]
    }

    @Test @MainActor func verbsTellClosures() async throws {
        let site = site { request in request.path == "/missing" ? .status(.notFound) : .json("[1,2]") }
        let told = Mutex<[String]>([])
        let (stream, feed) = AsyncStream.makeStream(of: Void.self)
        let handles = start(site) { text in
            told.withLock { $0.append(text) }
            feed.yield()
        }
        for handle in handles { _ = try await handle.value }
        var count = 0
        for await _ in stream {
            count += 1
            if count == 5 { break }
        }
        #expect(
            told.withLock { $0.sorted() } == ["delete 404", "get [1, 2]", "head true", "post 200", "status 200"]
        )
    }

    @Test("A closure behind a verb gets the result, in async code too; progress has a place of its own")
    func aBareClosureIsTheCompletion() async throws {
        let bytes = [UInt8](repeating: 7, count: 50_000)
        let site = site { _ in .bytes(bytes) }
        let count = await withCheckedContinuation { continuation in
            site.call(.get).start { result in continuation.resume(returning: (try? result.get())?.bytes.count) }
        }
        #expect(count == 50_000)
        let received = Atomic<Int64>(0)
        let sent = Atomic<Int64>(0)
        let watched = site.with { settings in
            settings.observers.append(
                .progress { event in
                    switch event.direction {
                    case .sending: sent.store(event.completed, ordering: .relaxed)
                    case .receiving: received.store(event.completed, ordering: .relaxed)
                    }
                }
            )
        }
        #expect(try await watched.post(.bytes(bytes)).bytes.count == 50_000)
        #expect(received.load(ordering: .relaxed) == 50_000)
        #expect(sent.load(ordering: .relaxed) == 50_000)
    }

    @Test func rawRequestsStreamBothWays() async throws {
        let (chunks, feed) = AsyncStream.makeStream(of: Data.self)
        for piece in ["a", "b", "c"] { feed.yield(Data(piece.utf8)) }
        feed.finish()
        let site = site { request in .script([.chunk([1]), .chunk([2])], headers: ["X-Got": request.text]) }
        let request = HTTPRequest(method: .post, url: "https://api.example.com/x")
        let answer = try await site.call(request, .raw(.stream(chunks))).stream()
        #expect(answer.header("X-Got") == "abc")
        var got: [UInt8] = []
        for try await piece in answer { got += piece.withUnsafeBytes { Array($0) } }
        #expect(got == [1, 2])
        let missing = self.site { _ in .status(.notFound) }
        #expect(try await failure { try await missing.call(request).stream() }.code == .status)
        #expect(try await missing.call(request).stream(anyStatus: true).statusCode == 404)
    }
}
