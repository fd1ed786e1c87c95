// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tests that are slow by nature, or that measure time: `Scripts/slow-tests.sh` runs them, one after the other.
///
/// The script finds them by this type's name in their files; `swift test` has a smaller form of each.
package enum SlowTests {
    /// Whether they are to run, in their full size.
    package static let areWanted = ProcessInfo.processInfo.environment["CUMULUS_SLOW_TESTS"] == "1"

    /// How often something is tried: a few times, or all.
    package static func rounds(_ few: Int, of all: Int) -> Int { areWanted ? all : few }
}
