// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix

/// Sends a range of a file: by `sendfile` on plain connections, else in pieces read off the loop.
// Unchecked: touched on the event loop only; the disk is touched on NIO's thread pool.
final class FileSender: BodySender, @unchecked Sendable {
    private static let pieceSize: Int64 = 256 * 1_024
    private static let regionSize: Int64 = 1_024 * 1_024

    private let body: FileBody
    private let eventLoop: any EventLoop
    private weak var connection: HTTP1Connection?
    private var file: OpenFile?
    private var offset: Int64
    private var hasBegun = false
    private var isReading = false

    init(_ body: FileBody, connection: HTTP1Connection, eventLoop: any EventLoop) {
        self.body = body
        self.connection = connection
        self.eventLoop = eventLoop
        offset = body.offset
    }

    var isWaitingForSource: Bool { file == nil || isReading }

    func pump() {
        guard let file else { return open() }
        guard let connection else { return }
        if connection.isSecure { readPiece(file, connection) } else { sendRegions(file, connection) }
    }

    func stop() {
        connection = nil
        // The handle closes once no write refers to it any more.
        file = nil
    }

    private var remaining: Int64 { body.offset + body.length - offset }

    private func open() {
        if hasBegun { return }
        hasBegun = true
        run { [body] in
            try OpenFile(body)
        } then: { file in
            self.file = file
            self.pump()
        }
    }

    private func sendRegions(_ file: OpenFile, _ connection: HTTP1Connection) {
        while connection.isWritable {
            if remaining == 0 { return connection.sendingFinished(self) }
            // Before the last region above all: the server must not take a file that has changed for whole.
            do throws(UploadProblem) {
                try file.check(body)
            } catch {
                return fail(error, connection)
            }
            let size = min(remaining, Self.regionSize)
            let region = FileRegion(
                fileHandle: file.handle,
                readerIndex: Int(offset),
                endIndex: Int(offset + size)
            )
            offset += size
            connection.send(.fileRegion(region), flush: true)
        }
    }

    private func readPiece(_ file: OpenFile, _ connection: HTTP1Connection) {
        guard connection.isWritable, !isReading else { return }
        if remaining == 0 { return connection.sendingFinished(self) }
        isReading = true
        run { [body, offset, size = min(remaining, Self.pieceSize)] in
            try file.check(body)
            return try file.read(at: offset, count: Int(size))
        } then: { piece in
            self.isReading = false
            self.offset += Int64(piece.readableBytes)
            self.connection?.send(.byteBuffer(piece), flush: true)
            self.pump()
        }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        then next: @escaping @Sendable (Value) -> Void
    ) {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop, work).whenComplete { result in
            // Stopped in the meantime.
            guard let connection = self.connection else { return }
            switch result {
            case .success(let value): next(value)
            case .failure(let error): self.fail(error, connection)
            }
        }
    }

    private func fail(_ error: any Error, _ connection: HTTP1Connection) {
        let message = (error as? UploadProblem)?.description ?? "\(body.path) could not be read: \(error)"
        connection.sendingFailed(self, TransportFailure(.requestBody, message, sent: .something, cause: error))
    }
}
