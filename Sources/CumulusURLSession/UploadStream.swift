// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CumulusCore
import Foundation
import Synchronization

/// A pair of bound streams: a producer writes into one, and a session reads from the other (`Stream.getBoundStreams`).
final class UploadStream: NSObject, BodySink, StreamDelegate {
    private struct State {
        var signal = SpaceSignal()
        var writer: CheckedContinuation<Bool, Never>?
    }

    /// How many bytes may wait between the producer and the session.
    private static let size = 64 * 1024
    private static let events = DispatchQueue(label: "cumulus.upload")

    // Only the one producer writes into it, and the queue of its events closes it.
    nonisolated(unsafe) private let output: OutputStream
    private let state = Mutex(State())

    private init(_ output: OutputStream) { self.output = output }

    /// Creates the pair; `nil` if the system has no memory for it.
    static func make() -> (sink: UploadStream, input: InputStream)? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let sink = UploadStream(output)
        // The stream doesn't retain it (`assign` in NSStream.h), so each sink is closed before its last owner drops it.
        output.delegate = sink
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, events)
        output.open()
        return (sink, input)
    }

    func write(_ piece: ByteChunk) async throws {
        var offset = 0
        while offset < piece.count {
            guard await hasSpace() else { throw BodySinkEnded() }
            let written = piece.withUnsafeBytes { bytes in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
                return output.write(start + offset, maxLength: bytes.count - offset)
            }
            guard written > 0 else { throw BodySinkEnded() }
            offset += written
        }
    }

    // On the queue of the events, so that none of them arrives at a sink that is gone.
    func close() {
        Self.events.async { [self] in
            output.delegate = nil
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
            output.close()
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        if event.contains(.hasSpaceAvailable) { resume(with: true) { $0.space() } }
        if !event.isDisjoint(with: [.errorOccurred, .endEncountered]) { resume(with: false) { $0.end() } }
    }

    /// Waits until one write doesn't block; false if the stream has ended, or the task was cancelled.
    private func hasSpace() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state in
                    let answer = state.signal.request()
                    if answer == .suspend { state.writer = continuation }
                    return answer
                }
                if answer != .suspend { continuation.resume(returning: answer == .ready) }
            }
        } onCancel: {
            resume(with: false) { $0.end() }
        }
    }

    private func resume(with hasSpace: Bool, _ event: (inout SpaceSignal) -> Bool) {
        let writer = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard event(&state.signal) else { return nil }
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume(returning: hasSpace)
    }
}
#endif
