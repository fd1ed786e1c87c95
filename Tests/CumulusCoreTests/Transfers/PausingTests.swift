// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Pause and resume of running downloads.
@Suite(.timeLimit(.minutes(10))) struct PausingTests {
    /// A download that has received its first piece and is held there.
    private func held(_ bench: DownloadBench, _ rate: Bandwidth) async throws -> RunningCall<DownloadedFile> {
        bench.site.setRules { $0.bandwidth = rate }
        let options = DownloadOptions(resume: true)
        let handle = bench.resource.call(.get).download(to: .file(bench.path), options: options).start()
        let first = bench.remote.bytes.prefix(1_024)
        try await eventually { bench.bytes(bench.part)?.prefix(1_024) == first }
        return handle
    }

    @Test func aPausedDownloadGoesOnWhereItWas() async throws {
        let bench = try DownloadBench()
        let rate = Bandwidth(bytesPerSecond: 0)
        let handle = try await held(bench, rate)
        // Waits during the pause.
        let waiting = Task { try await handle.value }
        handle.pause()
        handle.pause()
        #expect(handle.isPaused && !handle.isFinished)
        rate.bytesPerSecond = nil
        handle.resume()
        handle.resume()
        #expect(!handle.isPaused)
        let file = try await waiting.value
        #expect(file.resumedByteCount == 1_024)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=1024-"])
        #expect(bench.names == ["data.bin"])
        handle.pause()
        #expect(!handle.isPaused && handle.isFinished)
    }

    @Test func aDownloadThatGoesOnNeverMeetsItsOwnLock() async throws {
        let bench = try DownloadBench()
        let rate = Bandwidth(bytesPerSecond: 0)
        let handle = try await held(bench, rate)
        for _ in 0..<50 {
            handle.pause()
            handle.resume()
        }
        rate.bytesPerSecond = nil
        #expect(try await handle.value.byteCount == Int64(bench.remote.bytes.count))
    }

    @Test func aPartFileIsFreeOnceItIsUnlockedAlthoughItIsStillOpen() throws {
        let bench = try DownloadBench()
        let first = try PartFile(FilePath(bench.part))
        #expect(throws: PartFile.InUse.self) { try PartFile(FilePath(bench.part)) }
        first.unlock()
        let second = try PartFile(FilePath(bench.part))
        withExtendedLifetime((first, second)) {}
    }

    @Test func aPauseFreesTheConnection() async throws {
        let bench = try DownloadBench()
        let handle = try await held(bench, Bandwidth(bytesPerSecond: 0))
        handle.pause()
        try await eventually { bench.transport.cancelledBodies == 1 && bench.site.runningCalls.isEmpty }
        #expect(bench.names == bench.leftovers)
        handle.cancel()
        await #expect(throws: CancellationError.self) { try await handle.value }
        #expect(!handle.isPaused)
    }

    @Test(arguments: [true, false]) func cancellingAPausedDownloadIsToldUnlessItIsSilent(isSilent: Bool) async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.bandwidth = Bandwidth(bytesPerSecond: 0) }
        let told = Mutex(0)
        let (ends, feed) = AsyncStream.makeStream(of: Void.self)
        let request = bench.resource.call(.get).download(to: .file(bench.path))
        let handle = request.start(onProgress: nil) { result in
            if case .failure(is CancellationError) = result { told.withLock { $0 += 1 } }
            feed.yield()
        }
        handle.pause()
        handle.cancel(isSilent ? .silent : .reported)
        await #expect(throws: CancellationError.self) { try await handle.value }
        if !isSilent { for await _ in ends { break } }
        #expect(told.withLock(\.self) == (isSilent ? 0 : 1))
    }

    @Test func aCancelledDownloadIsNeitherPausedNorResumed() async throws {
        let bench = try DownloadBench()
        let handle = try await held(bench, Bandwidth(bytesPerSecond: 0))
        handle.cancel()
        handle.pause()
        #expect(!handle.isPaused)
        await #expect(throws: CancellationError.self) { try await handle.value }
        handle.resume()
        #expect(handle.isFinished)
        handle.restart()
        handle.pause()
        #expect(handle.isPaused)
        handle.cancel()
        handle.restart()
        bench.site.setRules { $0.bandwidth = nil }
        handle.restart()
        #expect(try await handle.value.byteCount == Int64(bench.remote.bytes.count))
    }

    @Test func manyWhoPauseResumeRestartAndCancelLeaveOneEnd() async throws {
        let bench = try DownloadBench()
        let options = DownloadOptions(resume: true, existing: .replace)
        for round in 0..<20 {
            bench.site.setRules { $0.bandwidth = Bandwidth(bytesPerSecond: round.isMultiple(of: 2) ? nil : 0) }
            let handle = bench.resource.call(.get).download(to: .file(bench.path), options: options).start()
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<12 {
                    group.addTask {
                        for _ in 0..<(task + round) % 5 { await Task.yield() }
                        switch task % 4 {
                        case 0, 3: task == 3 ? handle.cancel() : handle.pause()
                        case 1: handle.resume()
                        default: handle.restart()
                        }
                    }
                }
            }
            handle.cancel()
            _ = try? await handle.value
            #expect(handle.isFinished && !handle.isPaused)
            try await eventually { bench.site.runningCalls.isEmpty }
        }
        bench.site.setRules { $0.bandwidth = nil }
        #expect(try await bench.download(options).byteCount == Int64(bench.remote.bytes.count))
    }
}
