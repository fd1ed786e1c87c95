// SPDX-License-Identifier: Apache-2.0

/// A value whose description omits secrets; `dump` and debuggers show the description, not the stored properties.
///
/// Your own type with a secret needs only a `description`.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// A mirror that shows the same text as the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
