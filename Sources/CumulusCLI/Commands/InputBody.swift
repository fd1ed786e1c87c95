// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A body from standard input: taken whole if it is short, streamed otherwise.
struct InputBody {
    /// The limit for a body in memory, which a redirect can send again.
    static let heldLimit = 8 << 20
    /// The same for an upload, which is expected to be long.
    static let uploadLimit = 256 << 10
    private static let pieceSize = 65_536

    private let console: Console
    private let heldLimit: Int

    init(_ console: Console, heldLimit: Int = InputBody.heldLimit) {
        self.console = console
        self.heldLimit = heldLimit
    }

    /// All of it; `nil` if it exceeds the limit.
    func whole() async throws -> [UInt8]? {
        var held = try await firstPiece()
        while !held.isEmpty, held.count <= heldLimit {
            let more = try await console.read(InputBody.pieceSize)
            if more.isEmpty { break }
            held += more
        }
        return held.count <= heldLimit ? held : nil
    }

    /// Reads the beginning; `nil` if standard input is empty.
    ///
    /// Prints a hint if nothing arrives for a second: the user may be waiting for a response while it waits for a body.
    func payload(isForm: Bool, isNamed: Bool) async throws -> Payload? {
        var held = try await firstPiece()
        if held.isEmpty { return nil }
        var isWhole = false
        while held.count < heldLimit, !isWhole {
            let more = try await console.read(InputBody.pieceSize)
            isWhole = more.isEmpty
            held += more
        }
        let type = isNamed ? nil : isForm ? BodyType.form : BodyType.guess(held, isWhole: isWhole)
        if isWhole { return .bytes(held, type: type) }
        let (beginning, console) = (held, console)
        let stream = StreamBody { _, writer in
            try await writer.write(ByteChunk(beginning))
            while true {
                let more = try await console.read(InputBody.pieceSize)
                if more.isEmpty { return }
                try await writer.write(ByteChunk(more))
            }
        }
        return .body(.stream(stream), type: type)
    }

    /// Reads the beginning.
    ///
    /// - Throws: ``UsageMistake`` if standard input can't be read; nothing has been sent then.
    private func firstPiece() async throws -> [UInt8] {
        do {
            return try await awaitedPiece()
        } catch let problem as SystemProblem {
            throw UsageMistake("the body can't be read from standard input: \(problem)")
        }
    }

    private func awaitedPiece() async throws -> [UInt8] {
        if console.inputIsReady() { return try await console.read(InputBody.pieceSize) }
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await console.read(InputBody.pieceSize) }
            group.addTask {
                // Long enough that users who pipe something in never see the hint.
                try await Task.sleep(for: .seconds(1))
                let hint = heldLimit == InputBody.heldLimit ? " (--ignore-stdin sends no body)" : ""
                console.note("cumulus: waiting for the body on standard input\(hint)")
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let piece = result { return piece }
            }
            return []
        }
    }
}
