// SPDX-License-Identifier: Apache-2.0

/// The authorities that `SSL_CERT_FILE` and `SSL_CERT_DIR` name, which take the place of the system's.
struct EnvironmentRoots {
    private static let fileVariable = "SSL_CERT_FILE"
    private static let folderVariable = "SSL_CERT_DIR"
    private static let beginning = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The certificates of both, in PEM; `nil` if neither is set.
    ///
    /// - Throws: ``UsageMistake`` that names variable and path, where something can't be read or holds no certificate:
    ///   whoever set the variable doesn't want others trusted in their place.
    func pem() throws(UsageMistake) -> [UInt8]? {
        let (file, folders) = (value(EnvironmentRoots.fileVariable), value(EnvironmentRoots.folderVariable))
        guard file != nil || folders != nil else { return nil }
        var certificates: [[UInt8]] = []
        if let file { certificates += try self.certificates(inFile: file) }
        if let folders { certificates += try self.certificates(inFolders: folders) }
        var seen: Set<[UInt8]> = []
        return Array(certificates.filter { seen.insert($0).inserted }.joined(separator: [UInt8(ascii: "\n")]))
    }

    private func value(_ name: String) -> String? { surroundings.environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func certificates(inFile path: String) throws(UsageMistake) -> [[UInt8]] {
        let bytes: [UInt8]
        do {
            bytes = try surroundings.readFile.bytes(path)
        } catch {
            throw mistake(EnvironmentRoots.fileVariable, "file", path, "can't be read: \(error)")
        }
        let found = EnvironmentRoots.certificates(in: bytes)
        if found.isEmpty { throw mistake(EnvironmentRoots.fileVariable, "file", path, "contains no PEM certificate") }
        return found
    }

    /// Of all folders that the variable lists, with colons between them.
    private func certificates(inFolders list: String) throws(UsageMistake) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for folder in list.utf8.split(separator: UInt8(ascii: ":")).map(\.text) {
            let names: [String]
            do {
                names = try surroundings.readFolder(folder)
            } catch {
                throw mistake(EnvironmentRoots.folderVariable, "folder", folder, "can't be read")
            }
            // Folders of this kind hold keys, links that lead nowhere and folders as well.
            for name in names.sorted() {
                guard let bytes = try? surroundings.readFile.bytes("\(folder)/\(name)") else { continue }
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
            "the \(kind) \(quoted(path)) of \(variable) \(reason)",
            hint: "unset \(variable), or name the authorities by --verify=FILE"
        )
    }

    /// The certificates of a text in PEM, each with its first and last line.
    private static func certificates(in bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var current: [UInt8]?
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            if line.starts(with: beginning) { current = [] }
            guard current != nil else { continue }
            current? += line + [UInt8(ascii: "\n")]
            if line.starts(with: end), let certificate = current {
                found.append(certificate)
                current = nil
            }
        }
        return found
    }
}
