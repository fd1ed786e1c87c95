// SPDX-License-Identifier: Apache-2.0

/// What a command for curl says that the request itself does not.
package struct CurlAdditions: Sendable {
    /// Options, as words that are not quoted yet.
    package var options: [String] = []
    /// The options of a form, `-F name=value`, in place of the body; `nil` leaves the body as it is.
    package var form: [String]?
    /// A comment behind a form's command.
    package var note = ""

    /// Adds nothing.
    package init() {}
}
