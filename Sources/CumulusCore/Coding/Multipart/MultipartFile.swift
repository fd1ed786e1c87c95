// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A file, or a range of it, that is sent as a part: its length is read immediately, its bytes later.
struct MultipartFile: Sendable {
    private let path: String
    private let part: Int
    private let start: Int64
    /// The number of bytes to send.
    let length: Int64
    /// The length of the whole file, if all of it is sent.
    private let wholeLength: Int64?

    /// Opens and examines the file.
    init(path: String, range: Range<Int64>?, part: Int) throws(MultipartProblem) {
        self.path = path
        self.part = part
        let size: Int64
        do throws(OpenedFile.Refusal) {
            size = try OpenedFile(path).size()
        } catch {
            throw MultipartFile.problem(UploadProblem(error), part)
        }
        guard let range else {
            (start, length, wholeLength) = (0, size, size)
            return
        }
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw MultipartProblem(
                .file,
                part: part,
                "the range \(range) extends past the end of the file \(PeerText.quoted(path)), which has \(size) bytes"
            )
        }
        (start, length, wholeLength) = (range.lowerBound, range.upperBound - range.lowerBound, nil)
    }

    /// Writes the file in pieces, in the exchange's own task.
    func write(from offset: Int64, to writer: BodyWriter) async throws {
        let body = FileBody(path: path, offset: start, length: length, wholeLength: wholeLength)
        do {
            try await FilePieces(body).write(from: offset, to: writer)
        } catch let problem as UploadProblem {
            throw MultipartFile.problem(problem, part)
        }
    }

    private static func problem(_ problem: UploadProblem, _ part: Int) -> MultipartProblem {
        MultipartProblem(problem.kind == .changed ? .fileChanged : .file, part: part, problem.description)
    }
}
