// SPDX-License-Identifier: Apache-2.0

import Cumulus

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func preserve(_ site: Resource) throws {
    // snippet.preserve
    site.setRules { $0.headers["X-Install"] = "4711" }
    let archive: Data = site.preservedState().archived()

    // After the next launch:
    site.restore(try PreservedState(archived: archive))
    // snippet.end
}
