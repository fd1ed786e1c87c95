// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The certificate authorities from `SSL_CERT_FILE` and `SSL_CERT_DIR`, which replace the system's.
struct EnvironmentRoots {
    private static let fileVariable = "SSL_CERT_FILE"
    private static let folderVariable = "SSL_CERT_DIR"
    private static let beginning = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// Whether a variable names any.
    var areSet: Bool { value(EnvironmentRoots.fileVariable) != nil || value(EnvironmentRoots.folderVariable) != nil }

    /// The certificates of both, in PEM; `nil` if neither is set.
    ///
    /// - Throws: ``UsageMistake`` with variable and path, if something can't be read or contains no certificate: the
    ///   user who set the variable doesn't want other authorities to be trusted instead.
    func pem() throws(UsageMistake) -> [UInt8]? {
        let (file, folders) = (value(EnvironmentRoots.fileVariable), value(EnvironmentRoots.folderVariable))
        guard file != nil || folders != nil else { return nil }
        return try surroundings.roots.pem(for: [file, folders]) { () throws(UsageMistake) in try pem(file, folders) }
    }

    private func pem(_ file: String?, _ folders: String?) throws(UsageMistake) -> [UInt8] {
        var certificates: [[UInt8]] = []
        if let file { certificates += try self.certificates(inFile: file) }
        if let folders { certificates += try self.certificates(inFolders: folders) }
        // As texts, since arrays of bytes are hashed one by one.
        var seen: Set<String> = []
        var pem: [UInt8] = []
        for certificate in certificates where seen.insert(String(decoding: certificate, as: UTF8.self)).inserted {
            pem += certificate
            if certificate.last != UInt8(ascii: "\n") { pem.append(UInt8(ascii: "\n")) }
        }
        return pem
    }

    private func value(_ name: String) -> String? { surroundings.environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func certificates(inFile path: String) throws(UsageMistake) -> [[UInt8]] {
        let bytes: [UInt8]
        do {
            bytes = try surroundings.readFile.regularBytes(path, upTo: .certificates)
        } catch {
            throw mistake(EnvironmentRoots.fileVariable, "file", path, "can't be read: \(error)")
        }
        let found = EnvironmentRoots.certificates(in: bytes)
        if found.isEmpty { throw mistake(EnvironmentRoots.fileVariable, "file", path, "contains no PEM certificate") }
        return found
    }

    /// The certificates of all folders in the variable, which are separated by colons.
    private func certificates(inFolders list: String) throws(UsageMistake) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for folder in list.utf8.split(separator: UInt8(ascii: ":")).map(\.text) {
            let names: [String]
            do {
                names = try surroundings.readFolder(folder)
            } catch {
                throw mistake(EnvironmentRoots.folderVariable, "folder", folder, "can't be read")
            }
            // Such folders also contain keys, broken links, sockets and other folders.
            for name in names.sorted() {
                let path = "\(folder)/\(name)"
                guard let bytes = try? surroundings.readFile.regularBytes(path, upTo: .certificates) else { continue }
                found += EnvironmentRoots.certificates(in: bytes)
            }
        }
        guard !found.isEmpty else {
            throw mistake(EnvironmentRoots.folderVariable, "folder", list, "contains no PEM certificate")
        }
        return found
    }

    private func mistake(_ variable: String, _ kind: String, _ path: String, _ reason: String) -> UsageMistake {
        UsageMistake(
            "the \(kind) \(quoted(path)) in \(variable) \(reason)",
            hint: "unset \(variable), or specify the authorities with --verify=FILE"
        )
    }

    /// The certificates of a PEM text, each with its first and last line.
    private static func certificates(in bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        // A system's authorities take 200 KB, which each start of the command scans.
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            var first: Int?
            while start < bytes.count {
                let next = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
                if bytes[start] == UInt8(ascii: "-") {
                    let line = bytes[start..<next]
                    if line.starts(with: beginning) { first = start }
                    if let from = first, line.starts(with: end) {
                        found.append(Array(bytes[from..<next]))
                        first = nil
                    }
                }
                start = next
            }
        }
        return found
    }
}

/// The authorities that a command line has read: a list of many URLs reads them once, and keeps them once.
final class KeptRoots: Sendable {
    private let kept = Mutex<[[String?]: [UInt8]]>([:])

    /// What was read for a file and folders, or else what `read` returns.
    func pem(for places: [String?], _ read: () throws(UsageMistake) -> [UInt8]) throws(UsageMistake) -> [UInt8] {
        if let known = kept.withLock({ $0[places] }) { return known }
        let pem = try read()
        kept.withLock { $0[places] = pem }
        return pem
    }
}
