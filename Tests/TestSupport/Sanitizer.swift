// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether the tests run under the thread or address sanitizer.
package func isSanitized() -> Bool {
    #if canImport(Darwin)
    let anywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
    let anywhere = UnsafeMutableRawPointer(bitPattern: 0)
    #endif
    return dlsym(anywhere, "__tsan_init") != nil || dlsym(anywhere, "__asan_init") != nil
}
