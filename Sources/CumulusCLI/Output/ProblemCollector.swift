// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Keeps the beginning of a problem details body while it is printed.
struct ProblemCollector {
    /// The most of a problem that is ever needed.
    private static let limit = 65_536

    private let type: MediaType?
    private var bytes: [UInt8] = []

    init(type: MediaType?) { self.type = type }

    private var isProblem: Bool { type?.essence == MediaType.problemJSON.essence }

    /// Takes the next bytes of the body.
    mutating func take(_ chunk: ByteChunk) {
        guard isProblem, bytes.count < Self.limit else { return }
        bytes += chunk.bytes.prefix(Self.limit - bytes.count)
    }

    /// Title and detail, shortened; `nil` if there are none.
    var text: String? {
        guard isProblem, let json = try? JSON(body: ByteChunk(bytes), of: type) else { return nil }
        guard let problem = ProblemDetails(json) else { return nil }
        return ProblemCollector.text(of: problem)
    }

    /// Title and detail of a problem, shortened; `nil` if there are none.
    static func text(of problem: ProblemDetails) -> String? {
        let said = [problem.title, problem.detail].compactMap(\.self).filter { !$0.isEmpty }
        guard !said.isEmpty else { return nil }
        return PeerText.printable(said.joined(separator: ": "))
    }
}
