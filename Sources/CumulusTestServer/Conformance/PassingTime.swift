// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
package import CumulusTesting

/// Lets 800 milliseconds of a clock pass when a call decides to send its request again.
package struct PassingTime: Sendable {
    let clock: ManualClock
    let hasDecided: Gate

    /// Opens the gate once the call has decided and the time has passed.
    package init(clock: ManualClock, hasDecided: Gate) {
        self.clock = clock
        self.hasDecided = hasDecided
    }

    /// Reacts to the decision.
    package func observe(_ event: CallEvent) {
        guard case .again = event.kind else { return }
        clock.advance(by: .milliseconds(800))
        hasDecided.open()
    }
}
