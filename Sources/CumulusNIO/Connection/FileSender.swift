// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOPosix

/// Sends a range of a file: with `sendfile` on plain connections, otherwise in pieces read off the loop.
// Unchecked: touched on the event loop only; the disk is touched on NIO's thread pool.
final class FileSender: BodySender, @unchecked Sendable {
    private static let pieceSize: Int64 = 256 * 1_024
    private static let regionSize: Int64 = 1_024 * 1_024

    private let body: FileBody
    private let eventLoop: any EventLoop
    private weak var outlet: (any BodyOutlet)?
    private var file: BodyFile?
    private var offset: Int64
    private var hasBegun = false
    private var isReading = false

    init(_ body: FileBody, outlet: any BodyOutlet, eventLoop: any EventLoop) {
        self.body = body
        self.outlet = outlet
        self.eventLoop = eventLoop
        offset = body.offset
    }

    var isWaitingForSource: Bool { file == nil || isReading }
    var isWhole: Bool { remaining == 0 }

    func pump() {
        guard let file else { return open() }
        guard let outlet else { return }
        if outlet.takesFileRegions { sendRegions(file, outlet) } else { readPiece(file, outlet) }
    }

    /// Detects a file that was cut short within a region for `sendfile`, which then sends nothing without an error.
    func checkSource() {
        guard let file, let outlet else { return }
        do throws(UploadProblem) { try file.check(body) } catch { fail(error, outlet) }
    }

    func stop(isBodySent: Bool) {
        outlet = nil
        // The handle is closed once no write refers to it.
        file = nil
    }

    private var remaining: Int64 { body.offset + body.length - offset }

    private func open() {
        if hasBegun { return }
        hasBegun = true
        run { [body] in
            try BodyFile(body)
        } then: { file in
            self.file = file
            self.pump()
        }
    }

    private func sendRegions(_ file: BodyFile, _ outlet: any BodyOutlet) {
        while outlet.isWritable {
            if remaining == 0 { return outlet.sendingFinished(self) }
            // Most important before the last region: the server must not take a changed file for complete.
            do throws(UploadProblem) {
                try file.check(body)
            } catch {
                return fail(error, outlet)
            }
            let size = min(remaining, Self.regionSize)
            let region = FileRegion(
                fileHandle: file.handle,
                readerIndex: Int(offset),
                endIndex: Int(offset + size)
            )
            offset += size
            // The channel knows the handle, not the object that closes it.
            outlet.send(.fileRegion(region), flush: true, keeping: file)
        }
    }

    private func readPiece(_ file: BodyFile, _ outlet: any BodyOutlet) {
        guard outlet.isWritable, !isReading else { return }
        if remaining == 0 { return outlet.sendingFinished(self) }
        isReading = true
        run { [body, offset, size = min(remaining, Self.pieceSize)] in
            try file.check(body)
            return try file.read(at: offset, count: Int(size))
        } then: { piece in
            self.isReading = false
            self.offset += Int64(piece.readableBytes)
            self.outlet?.send(.byteBuffer(piece), flush: true)
            self.pump()
        }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        then next: @escaping @Sendable (Value) -> Void
    ) {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop, work).whenComplete { result in
            // Stopped in the meantime.
            guard let outlet = self.outlet else { return }
            switch result {
            case .success(let value): next(value)
            case .failure(let error): self.fail(error, outlet)
            }
        }
    }

    private func fail(_ error: any Error, _ outlet: any BodyOutlet) {
        let message =
            (error as? UploadProblem)?.description
            ?? "the file \(PeerText.quoted(body.path)) could not be read: \(error)"
        outlet.sendingFailed(self, TransportFailure(.requestBody, message, fate: .unknown, cause: error))
    }
}
