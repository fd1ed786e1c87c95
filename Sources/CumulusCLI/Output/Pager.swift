// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The program that shows what is longer than the screen, as the environment names it.
struct Pager: Equatable, Sendable {
    /// What a shell runs.
    let command: String

    /// Whether the answer is all there soon, so that holding it back keeps nobody waiting.
    func takes(_ head: ResponseHead, as type: MediaType?) -> Bool {
        switch BodyKind(type) {
        case .events, .jsonLines: false
        case .json, .xml, .html: true
        case .other: head.headers[.contentLength].flatMap { Int($0) }.map { $0 <= Pager.longest } ?? false
        }
    }

    /// More than this goes to the pager while it still comes.
    static let longest = 16 << 20
}
