// SPDX-License-Identifier: Apache-2.0

extension FieldPath {
    /// Reads a path, or a JSON Pointer (RFC 6901) where the text begins with a slash: `meta.next`, `/meta/next`.
    ///
    /// A path that can't be read is taken as the name of one member.
    init(anywhere text: String) {
        if text.begins(with: "/"), let names = JSONPointer.names(text) {
            self.init(names.map(Step.member), description: text)
        } else {
            self = (try? FieldPath(parsing: text)) ?? FieldPath(member: text)
        }
    }
}
