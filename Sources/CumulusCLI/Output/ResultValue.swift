// SPDX-License-Identifier: Apache-2.0

/// A value of an exchange for `--format` and `--meta --json`; times are in seconds, sizes in bytes.
enum ResultValue: String, CaseIterable, Sendable {
    case status
    case reason
    case method
    case url
    case type
    case `protocol`
    case remote
    case redirects
    case attempts
    case reused
    case timeTotal = "time_total"
    case timeQueue = "time_queue"
    case timeLookup = "time_lookup"
    case timeConnect = "time_connect"
    case timeTLS = "time_tls"
    case timeFirstByte = "time_first_byte"
    case timeLastByte = "time_last_byte"
    case sizeSent = "size_sent"
    case sizeReceived = "size_received"
    case tlsVersion = "tls_version"
    case tlsCipher = "tls_cipher"
    case certificateSubject = "cert_subject"
    case certificateIssuer = "cert_issuer"
    case certificateExpiry = "cert_expires"

    /// curl's names for them, except for values that differ: its sizes are those of bodies, and its times add up.
    private static let others: [String: ResultValue] = [
        "http_code": .status, "response_code": .status, "url_effective": .url, "content_type": .type,
        "num_redirects": .redirects, "time_namelookup": .timeLookup, "time_starttransfer": .timeFirstByte,
    ]

    /// Finds a value by its name, or by curl's name.
    init?(named name: String) {
        guard let value = ResultValue(rawValue: name) ?? ResultValue.others[name] else { return nil }
        self = value
    }
}
