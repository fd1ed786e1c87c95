// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether the calling thread is the main one; synchronous, since async code can't ask.
func isMainThread() -> Bool { Thread.isMainThread }
