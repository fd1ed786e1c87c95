// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Collects a body for a recording while it passes through.
///
/// It holds 8 MiB at most; of a longer body, it writes bytes that need no search for secrets to a file.
final class BodyCapture: Sendable {
    /// The largest body that is searched for secrets, in bytes.
    static let memoryLimit = 8 << 20

    private struct State {
        var bytes: [UInt8] = []
        var draft: BodyDraft?
        var count: Int64 = 0
        var obstacle: String?
    }

    private let type: MediaType?
    private let codings: [String]
    private let folder: BodyFolder?
    private let options: RecordingOptions
    private let state = Mutex(State())

    /// Prepares for the body of a message with these fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - folder: The folder of large bodies; `nil` writes none, to compare bodies only.
    ///   - options: The recording's options.
    ///   - isDecoded: Whether the body has lost its content codings already.
    init(_ fields: HTTPFields, in folder: BodyFolder?, _ options: RecordingOptions, isDecoded: Bool = false) {
        type = fields[.contentType].flatMap { MediaType($0) }
        codings = isDecoded ? [] : BodyDecoding.names(in: fields)
        self.folder = folder
        self.options = options
    }

    /// The number of bytes so far.
    var count: Int64 { state.withLock(\.count) }

    /// Takes the next bytes.
    func add(_ chunk: ByteChunk) {
        state.withLock { state in
            state.count += Int64(chunk.count)
            guard state.obstacle == nil else { return }
            if state.draft == nil, state.bytes.count + chunk.count > BodyCapture.memoryLimit {
                overflow(&state, chunk)
            }
            guard let draft = state.draft else {
                if state.obstacle == nil { chunk.withUnsafeBytes { state.bytes += $0 } }
                return
            }
            do { try chunk.withUnsafeBytes { try draft.write($0) } } catch { state.obstacle = "\(error)" }
        }
    }

    /// Opens a file for the body, or discards it, before a chunk for which there is no memory.
    private func overflow(_ state: inout State, _ chunk: ByteChunk) {
        // The chunk may be the first one.
        var sample = Array(state.bytes.prefix(65_536))
        chunk.withUnsafeBytes { sample += $0.prefix(65_536 - sample.count) }
        let isOpaque = type.map(BodyScreening.isOpaque) ?? false
        guard let folder, codings.isEmpty, options.includesAnyBody || isOpaque && BodyScreening.isBinary(sample)
        else {
            state.obstacle = "it is longer than 8 MiB, too long to search for secrets"
            state.bytes = []
            return
        }
        do {
            let draft = try folder.makeDraft()
            try state.bytes.withUnsafeBytes { try draft.write($0) }
            state.draft = draft
        } catch { state.obstacle = "\(error)" }
        state.bytes = []
    }

    /// The body as it is written to the recording; files of large bodies are written now.
    ///
    /// - Parameter isWhole: Whether it has arrived to its end.
    /// - Returns: The body.
    func stored(isWhole: Bool = true) -> RecordedBody {
        let state = state.withLock { state in
            defer { state = State(count: state.count, obstacle: "it was already stored") }
            return state
        }
        if let obstacle = state.obstacle { return .omitted(obstacle) }
        do {
            if let draft = state.draft { return .file(name: try draft.finish(), length: state.count) }
            if state.bytes.isEmpty { return .empty }
            let decoded = BodyDecoding.decoded(state.bytes, codings, by: options.contentCodings, isWhole: isWhole)
            guard let decoded else {
                return .omitted("its content coding can't be removed: \(codings.joined(separator: ", "))")
            }
            guard options.includesAnyBody || decoded.count <= BodyCapture.memoryLimit else {
                return .omitted("it is longer than 8 MiB, too long to search for secrets")
            }
            let screened = options.includesSecrets ? decoded : BodyScreening.screened(decoded, of: type)
            guard let shown = screened ?? (options.includesAnyBody ? decoded : nil) else {
                return .omitted("it contains a name that indicates a secret")
            }
            if shown.count >= BodyFolder.threshold {
                let name = try folder?.store(shown) ?? BodyFolder.name(of: shown)
                return .file(name: name, length: Int64(shown.count))
            }
            return stored(shown)
        } catch {
            return .omitted("\(error)")
        }
    }

    private func stored(_ bytes: [UInt8]) -> RecordedBody {
        // A reader of the file would take another charset's bytes for that charset's.
        let charset = type?["charset"]?.lowercased() ?? "utf-8"
        let isUnicode = ["utf-8", "utf8", "us-ascii"].contains(charset) || bytes.allSatisfy { $0 < 0x80 }
        guard isUnicode, let text = String(validating: bytes, as: UTF8.self) else { return .binary(bytes) }
        return .text(text)
    }
}
