// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The program that shows output longer than the screen, from the environment.
struct Pager: Equatable, Sendable {
    /// The shell command.
    let command: String

    /// Whether the whole response arrives soon, so that holding it back makes nobody wait.
    func takes(_ head: ResponseHead, as type: MediaType?) -> Bool {
        switch BodyKind(type) {
        case .events, .jsonLines: false
        case .json, .xml, .html: true
        case .other: head.headers[.contentLength].flatMap { Int($0) }.map { $0 <= Pager.longest } ?? false
        }
    }

    /// Longer output goes to the pager while it is still arriving.
    static let longest = 16 << 20
}
