// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices

/// A plan of `cumulus services`.
///
/// Indirect because code that copies a whole plan is large.
indirect enum ServicesPlan: Sendable {
    /// The input and output of an import.
    final class Import: Sendable {
        /// The file; `nil` if the request fetches the description.
        let file: String?
        let request: Plan?
        /// The service's name; `nil` uses the description's.
        let name: String?
        let base: String?
        let overwrites: Bool
        let folder: ServiceFolder

        init(
            file: String?,
            request: Plan?,
            name: String?,
            base: String?,
            overwrites: Bool,
            folder: ServiceFolder
        ) {
            self.file = file
            self.request = request
            self.name = name
            self.base = base
            self.overwrites = overwrites
            self.folder = folder
        }
    }

    /// Lists all services of the user's folder.
    case list
    /// Shows a service, or one of its endpoints.
    case show(ServiceDescription, endpoint: EndpointDescription?)
    /// Checks a service for problems and gaps.
    case verify(String)
    case take(Import)
    /// Trusts a file, so that its endpoints can be called.
    case trust(String, ServiceTrust)
    /// Removes the files of a service from the user's folder.
    case remove([String])
    /// Completions of a command line.
    case candidates([String])
    /// A shell's completion script.
    case completion(String)
}
