// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The requests that may share responses: those of one user and, for a QUERY, with one content.
struct Audience: Sendable, Hashable {
    let partition: StorePartition
    /// A digest of the content of a QUERY; `nil` for a GET.
    var content: String?
}
