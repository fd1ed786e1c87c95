// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What `cumulus services` is asked for.
enum ServicesPlan: Sendable {
    /// What an import takes and makes.
    struct Import: Sendable {
        /// The file; `nil` where the request fetches the description.
        let file: String?
        let request: Plan?
        /// What the service is to be called; `nil` for what the description says.
        let name: String?
        let base: String?
        let overwrites: Bool
        let folder: ServiceFolder
    }

    /// All services of the user's folder.
    case list
    /// A service, or one of its endpoints.
    case show(ServiceDescription, endpoint: EndpointDescription?)
    /// What is wrong with a service or left out of it.
    case verify(String)
    case take(Import)
    /// A file that may be called from now on.
    case trust(String, ServiceTrust)
    /// What may come next on a command line.
    case candidates([String])
    /// What a shell reads to complete command lines.
    case completion(String)
}
