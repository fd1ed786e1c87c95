// SPDX-License-Identifier: Apache-2.0

extension EncodedRequest {
    /// Returns the request as a curl command that sends the same bytes, quoted so that no shell interprets them.
    ///
    /// It is written for shells that support `$'...'` (bash, zsh, ksh and POSIX.1-2024) if a byte is invisible or not
    /// UTF-8, and otherwise for any POSIX shell. A body with NUL, or a long one, is piped from `printf %b`; a file is
    /// passed by its name. You have to supply a stream yourself.
    ///
    /// - Parameters:
    ///   - includingSecrets: Whether to include secrets and bodies of every type. Otherwise header fields, query items,
    ///     and members of forms and JSON whose names indicate a secret are `<redacted>`, and a comment reports the type
    ///     and size of any other body.
    ///   - bodyLimit: The largest body to include, in bytes. A comment reports the type and size of a longer one.
    /// - Returns: The command, on one line unless the request contains line breaks.
    public func curl(includingSecrets: Bool = false, bodyLimit: Int = 65_536) -> String {
        CurlCommand(self, includingSecrets: includingSecrets, bodyLimit: bodyLimit).description
    }
}

/// Additions to a curl command that are not part of the request.
package struct CurlAdditions: Sendable {
    /// Options, as unquoted words.
    package var options: [String] = []
    /// The options of a form, `-F name=value`, which replace the body; `nil` keeps the body.
    package var form: [String]?
    /// A comment after a form's command.
    package var note = ""

    /// Creates empty additions.
    package init() {}
}
