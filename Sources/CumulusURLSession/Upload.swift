// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes

/// A request body in one of URLSession's forms.
///
/// On Linux a stream, or a range of a file, becomes a temporary file.
struct Upload {
    enum Content {
        case nothing
        case data(Data)
        case file(URL)
        /// Sent while it is produced.
        case streamed
    }

    let content: Content
    /// The temporary file, which the exchange removes.
    let spool: UploadSpool?

    /// Converts the body; on Linux a stream is produced to its end here.
    init(_ request: TransportRequest) async throws {
        switch request.body {
        case .none: self.init(.nothing)
        case .bytes(let chunk): self.init(chunk.isEmpty ? .nothing : .data(chunk.data))
        case .file(let file): try self.init(file)
        case .stream(let stream): self = try await Self.streamed(stream, of: request)
        }
        if case .nothing = content { return }
        guard request.method != .get else {
            spool?.remove()
            throw TransportFailure(.unsupported, "URLSession can't send a body with GET")
        }
    }

    /// On Apple's systems the session gets the body while it is produced, on Linux from a temporary file.
    private static func streamed(_ stream: StreamBody, of request: TransportRequest) async throws -> Upload {
        guard request.body.canBeSent else {
            let problem = BodyAlreadySent()
            throw TransportFailure(.requestBody, problem.description, fate: .unsent, cause: problem)
        }
        #if canImport(Darwin)
        return Upload(.streamed)
        #else
        let spool = try UploadSpool()
        do {
            try await spool.fill(from: stream, of: request)
        } catch {
            spool.remove()
            throw error
        }
        return Upload(.file(spool.url), spool: spool)
        #endif
    }

    private init(_ content: Content, spool: UploadSpool? = nil) {
        self.content = content
        self.spool = spool
    }

    private init(_ file: FileBody) throws {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            let length = size?.int64Value ?? 0
            guard file.offset >= 0, file.length >= 0, file.offset <= length, file.length <= length - file.offset else {
                throw TransportFailure(
                    .requestBody,
                    "the range extends past the end of the file, which has \(length) bytes",
                    fate: .unsent
                )
            }
            if file.length == 0 {
                self.init(.nothing)
            } else if file.offset == 0, file.length == length {
                self.init(.file(URL(fileURLWithPath: file.path)))
            } else {
                #if canImport(Darwin)
                self.init(.streamed)
                #else
                let spool = try UploadSpool()
                try spool.copy(file)
                self.init(.file(spool.url), spool: spool)
                #endif
            }
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw TransportFailure(.requestBody, "the file can't be read", fate: .unsent, cause: error)
        }
    }
}
