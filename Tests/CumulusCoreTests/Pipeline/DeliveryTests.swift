// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Bodies in memory are bounded, complete or refused.
@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    private func site(_ chunks: [Int], status: HTTPResponse.Status = .ok) -> (Resource, StubTransport) {
        let transport = StubTransport { _ in
            .script(chunks.map { .chunk([UInt8](repeating: 7, count: $0)) }, status: status)
        }
        return (Resource("http://a.example", transport: transport.watched), transport)
    }

    @Test(arguments: [[], [1], [10], [4, 6], [1, 2, 3, 4]]) func takesBodiesWithinTheLimit(chunks: [Int]) async throws {
        let (site, _) = site(chunks)
        site.setRules { $0.maxBodySize = 10 }
        let response = try await site.get()
        #expect(response.bytes.count == chunks.reduce(0, +))
        #expect(response.isBodyComplete)
    }

    @Test(arguments: [[11], [10, 1], [4, 4, 4], [1_000_000]]) func refusesLongerOnes(chunks: [Int]) async {
        let (site, _) = site(chunks)
        site.setRules { $0.maxBodySize = 10 }
        do {
            _ = try await site.get()
            Issue.record("it was taken")
        } catch {
            #expect((error as? CumulusError)?.code == .bodyTooLarge)
            #expect((error as? CumulusError)?.stage == .delivery)
            #expect("\(error)".contains("10 bytes"))
        }
    }

    @Test(
        "an error status whose body is interrupted keeps its head and the received part",
        arguments: [
            [StubResponse.Step](), [.chunk(Array("not ".utf8))],
            [.chunk(Array("not ".utf8)), .chunk(Array("he".utf8))],
        ]
    )
    func brokenErrors(steps: [StubResponse.Step]) async throws {
        let transport = StubTransport { _ in
            .script(
                steps + [.fail(TransportFailure(.truncated, "the test broke it off"))],
                status: .notFound,
                headers: [.retryAfter: "5"]
            )
        }
        let site = Resource("http://a.example", transport: transport.watched)
        for call in [{ _ = try await site.get() }, { _ = try await site.get(as: String.self) }] {
            let error = try await failure { try await call() }
            #expect(error.code == .truncatedBody && error.statusCode == 404)
            #expect(error.response?.headers[.retryAfter] == "5")
            #expect(error.response?.isBodyComplete == false)
            #expect("not he".hasPrefix(error.response?.text ?? "-"))
            #expect("\(error)".contains("404 Not Found"))
        }
    }

    @Test("an error status with an unknown content coding is delivered like any other")
    func codedErrors() async throws {
        let transport = StubTransport { _ in
            .response(.badGateway, headers: [.contentEncoding: "zz"], body: [1, 2, 3])
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.retry = .never }
        let response = try await site.get()
        #expect(response.statusCode == 502 && response.bytes.bytes == [1, 2, 3])
        let error = try await failure { try await site.get(as: JSON.self) }
        #expect(error.code == .status && error.statusCode == 502)
    }

    @Test func anEndlessBodyIsRefusedAndEnded() async {
        let chunk = StubResponse.Step.chunk([UInt8](repeating: 1, count: 65_536))
        let transport = StubTransport { _ in .script(Array(repeating: chunk, count: 2_000)) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxBodySize = 1_000_000 }
        await #expect(throws: CumulusError.self) { _ = try await site.get() }
        #expect(transport.cancelledBodies == 1)
    }

    @Test(
        "An unsuccessful response's body is cut off at 64 KiB",
        arguments: [[100_000], [65_536, 1], [60_000, 60_000]]
    )
    func errorBodiesAreCutOff(chunks: [Int]) async throws {
        let (site, _) = site(chunks, status: .internalServerError)
        let response = try await site.get()
        #expect(response.bytes.count == 65_536)
        #expect(!response.isBodyComplete)
    }

    @Test(
        "an error body that is full is cut off at once, however long the server takes for the rest",
        arguments: [[65_536], [70_000], [60_000, 5_536], [30_000, 30_000, 30_000]]
    )
    func fullErrorBodiesAreNotWaitedFor(chunks: [Int]) async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            .script(
                chunks.map { .chunk([UInt8](repeating: 7, count: $0)) } + [.gate(gate)],
                status: .notFound
            )
        }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        #expect(response.bytes.count == 65_536 && !response.isBodyComplete)
        #expect(transport.cancelledBodies == 1)
    }

    @Test func anErrorBodyOfExactlyTheLimitIsWholeIfItsLengthIsKnown() async throws {
        let transport = StubTransport { _ in
            .script(
                [.chunk([UInt8](repeating: 7, count: 65_536))],
                status: .notFound,
                headers: [.contentLength: "65536"]
            )
        }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        #expect(response.bytes.count == 65_536 && response.isBodyComplete)
    }

    @Test func aShortErrorBodyIsWhole() async throws {
        let (site, _) = site([10, 20], status: .badGateway)
        let response = try await site.get()
        #expect(response.bytes.count == 30)
        #expect(response.isBodyComplete)
    }

    @Test func largeValuesAreDecodedElsewhere() async throws {
        let text = "[" + Array(repeating: "1234567890", count: 20_000).joined(separator: ",") + "]"
        let transport = StubTransport { _ in .json(text) }
        let numbers = try await Resource("http://a.example", transport: transport.watched).get(as: [Int].self)
        #expect(numbers.count == 20_000)
    }

    @Test func cancellationEndsTheRequest() async {
        let clock = ManualClock()
        let transport = StubTransport { _ in .text("late").delayed(by: .seconds(1_000)) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
        }
        let task = Task { _ = try await site.get() }
        do { try await clock.waitForSleepers() } catch { Issue.record(error) }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func aDeadlineOfTheManualClockPasses() async {
        let clock = ManualClock()
        let transport = StubTransport { _ in .text("late").delayed(by: .seconds(1_000)) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = .seconds(5)
            $0.retry = .never
        }
        let task = Task { _ = try await site.get() }
        do { try await clock.waitForSleepers() } catch { Issue.record(error) }
        clock.advance(by: .seconds(6))
        do {
            try await task.value
            Issue.record("it did not time out")
        } catch {
            #expect((error as? CumulusError)?.code == .timeout)
        }
    }

    @Test func aNegativeLimitAllowsNothing() async throws {
        let (site, _) = site([5], status: .notFound)
        site.setRules { $0.maxBodySize = -1 }
        let response = try await site.get()
        #expect(response.bytes.isEmpty)
        #expect(!response.isBodyComplete)
    }

    @Test func aForeignFailureInABodyIsNotCalledTooLarge() async {
        struct Broken: Error {}
        let transport = StubTransport { _ in .script([.chunk([1]), .fail(Broken())]) }
        do {
            _ = try await Resource("http://a.example", transport: transport.watched).get()
            Issue.record("it was whole")
        } catch {
            #expect((error as? CumulusError)?.code == .transport)
            #expect((error as? CumulusError)?.cause is Broken)
        }
    }

    @Test func aGigabyteThatIsOnlyClaimedIsRefusedBeforeItIsRead() async throws {
        let transport = StubTransport { request in
            .script(
                [.chunk([1, 2, 3])],
                status: request.path == "/error" ? .internalServerError : .ok,
                headers: [.contentLength: "1000000000", .contentType: "application/json"]
            )
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let error = await #expect(throws: CumulusError.self) { try await site.get(as: JSON.self) }
        #expect(error?.code == .bodyTooLarge)
        #expect(transport.cancelledBodies == 1)
        // Only the beginning of an error's body is kept, so the announced length doesn't matter.
        let failed = try await site["error"].get()
        #expect(failed.bytes.bytes == [1, 2, 3])
    }
}
