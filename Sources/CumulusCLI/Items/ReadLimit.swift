// SPDX-License-Identifier: Apache-2.0

/// How much of a file that the command line names is read into memory: a device or a pipe may never end.
enum ReadLimit: Int, Sendable {
    /// A password, token or key, in MiB.
    case secret = 1
    /// Certificates and keys.
    case certificates = 16
    /// The value of an item, a list of URLs, an edited text.
    case value = 64

    /// The limit in bytes.
    var byteCount: Int { rawValue << 20 }
}
