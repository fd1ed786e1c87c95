// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension FieldPath {
    /// Parses a path, or a JSON Pointer (RFC 6901) if the text begins with a slash: `meta.next`, `/meta/next`.
    ///
    /// An invalid path is used as the name of one member.
    init(anywhere text: String) {
        if text.begins(with: "/"), let names = JSONPointer.names(text) {
            self.init(names.map(Step.member), description: text)
        } else {
            self = (try? FieldPath(parsing: text)) ?? FieldPath(member: text)
        }
    }
}
