// SPDX-License-Identifier: Apache-2.0

import Testing

/// An expectation whose condition waits; within a closure that is passed on, the macro takes no `try`.
func holds(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: sourceLocation)
}
