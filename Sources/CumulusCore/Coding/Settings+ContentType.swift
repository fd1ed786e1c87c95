// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The media type of payloads and of requested responses.
    ///
    /// It sets `Content-Type` and `Accept` in this layer.
    ///
    /// Children inherit both, like every header. `nil` hides the inherited values. `Content-Type` is sent only with content.
    /// For a form, `Accept` is JSON.
    public var contentType: MediaType? {
        get { self.headers[.contentType].flatMap { MediaType(parsing: $0) } }
        set {
            self.headers[.contentType] = newValue?.description
            // Servers answer a form with JSON (OAuth 2, RFC 6749 section 5.1).
            let isForm = newValue?.essence == MediaType.form.essence
            self.headers[.accept] = isForm ? MediaType.json.essence : newValue?.essence
        }
    }
}
