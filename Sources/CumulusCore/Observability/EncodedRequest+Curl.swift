// SPDX-License-Identifier: Apache-2.0

extension EncodedRequest {
    /// The request as a curl command that sends the same bytes, quoted so that no shell interprets them.
    ///
    /// Written for shells that know `$'...'` (bash, zsh, ksh and POSIX.1-2024) where a byte can't be seen or is not UTF-8,
    /// for any POSIX shell elsewhere. A body with NUL, or a long one, goes through `printf %b`; a file is named; a
    /// stream is left to you.
    ///
    /// - Parameter revealingSecrets: Whether secrets are written: header fields, query items, and members of forms and
    ///   JSON whose names say that they are secret are `<redacted>` otherwise. Other bodies are written as they are.
    /// - Returns: The command, on one line unless the request holds line breaks.
    public func curl(revealingSecrets: Bool = false) -> String {
        CurlCommand(self, revealingSecrets: revealingSecrets).description
    }
}
