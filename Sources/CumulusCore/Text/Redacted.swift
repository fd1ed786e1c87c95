// SPDX-License-Identifier: Apache-2.0

/// A value whose description leaves secrets out; `dump` and debuggers show the description, not the stored properties.
///
/// A type of your own that keeps a secret only needs a `description`.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
