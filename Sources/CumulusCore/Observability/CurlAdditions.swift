// SPDX-License-Identifier: Apache-2.0

/// Additions to a curl command that are not part of the request.
package struct CurlAdditions: Sendable {
    /// Options, as unquoted words.
    package var options: [String] = []
    /// The options of a form, `-F name=value`, which replace the body; `nil` keeps the body.
    package var form: [String]?
    /// A comment after a form's command.
    package var note = ""

    /// Makes empty additions.
    package init() {}
}
