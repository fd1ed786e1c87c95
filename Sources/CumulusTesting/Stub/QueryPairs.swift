// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Reads a query as servers do.
package enum QueryPairs {
    /// The pairs, in order, unescaped; `+` is a space.
    package static func parsed(_ query: String?) -> [(name: String, value: String?)] {
        guard let query, !query.isEmpty else { return [] }
        return query.parts(at: "&", omitsEmpty: true).map { pair in
            let halves = pair.parts(at: "=", most: 2)
            return (
                PercentCoding.decoded(halves[0], plusIsBlank: true),
                halves.count > 1 ? PercentCoding.decoded(halves[1], plusIsBlank: true) : nil
            )
        }
    }
}
