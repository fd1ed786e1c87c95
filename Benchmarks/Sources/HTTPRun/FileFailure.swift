// SPDX-License-Identifier: Apache-2.0

/// What the system said of a file.
struct FileFailure: Error {
    let errno: Int32
}
