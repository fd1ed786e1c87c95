// SPDX-License-Identifier: Apache-2.0

import Testing

/// An expectation with an asynchronous condition; in a closure that is passed on, the macro takes no `try`.
func holds(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: sourceLocation)
}
