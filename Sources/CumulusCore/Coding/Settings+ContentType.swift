// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The media type of payloads, which is also what answers are asked for: sets `Content-Type` and `Accept` here.
    ///
    /// Children inherit both, as they do every header. `nil` masks what is inherited. `Content-Type` is sent along only
    /// with content. For a form the answer asked for is JSON.
    public var contentType: MediaType? {
        get { self.headers[.contentType].flatMap { MediaType(parsing: $0) } }
        set {
            self.headers[.contentType] = newValue?.description
            // What comes back for a form is JSON (OAuth 2, RFC 6749 section 5.1).
            let isForm = newValue?.essence == MediaType.form.essence
            self.headers[.accept] = isForm ? MediaType.json.essence : newValue?.essence
        }
    }
}
