// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Finds and reads the configuration files: the user's, and the working folder's if it is trusted.
struct ConfigurationLookup {
    /// The name of a working folder's file.
    static let folderFile = ".cumulus.toml"

    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The path of the user's file: below `$XDG_CONFIG_HOME`, otherwise `~/.config`; `nil` if neither is known.
    var userPath: String? {
        func absolute(_ name: String) -> String? {
            surroundings.environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        return (absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }).map {
            "\($0)/cumulus/config.toml"
        }
    }

    /// The path of the working folder's file, which may not exist.
    var folderPath: String? {
        surroundings.workingFolder.map { folder in
            "\(folder.ends(with: "/") ? folder : folder + "/")\(ConfigurationLookup.folderFile)"
        }
    }

    /// Reads both files.
    ///
    /// - Throws: ``UsageMistake`` for a file that can't be read or parsed.
    func configuration() throws(UsageMistake) -> Configuration {
        var configuration = Configuration()
        if let path = folderPath, let bytes = folderBytes(path, &configuration.notice) {
            let file = try ConfigurationFile(parsing: bytes, path: path)
            try refuseSharedSecrets(of: file)
            configuration.files.append(file)
        }
        if let path = userPath {
            let found: [UInt8]?
            do {
                found = try surroundings.readConfiguration(path, false)
            } catch {
                throw UsageMistake("the configuration can't be used: \(error)")
            }
            if let bytes = found {
                let file = try ConfigurationFile(parsing: bytes, path: path)
                try refuseSharedSecrets(of: file)
                configuration.files.append(file)
            }
        }
        return configuration
    }

    /// The content of the working folder's file, if it exists and is trusted.
    private func folderBytes(_ path: String, _ notice: inout String?) -> [UInt8]? {
        let remedy = "to review and trust it, run cumulus trust"
        do {
            guard let bytes = try surroundings.readConfiguration(path, false) else { return nil }
            switch try TrustedFiles(surroundings.environment)?.trust(of: path, bytes) ?? .none {
            case .full: return bytes
            case .none:
                notice = "\(quoted(path)) is not used because it is not trusted; \(remedy)"
            case .changed:
                notice = "\(quoted(path)) is not used because it has changed since you trusted it; \(remedy)"
            }
        } catch {
            // Another person's file must not keep the command from working.
            notice = "\(quoted(path)) is not used: \(error)"
        }
        return nil
    }

    /// Refuses secrets in a file that others can read.
    func refuseSharedSecrets(of file: ConfigurationFile) throws(UsageMistake) {
        guard let secret = file.settings.first(where: \.isSecret) else { return }
        do {
            _ = try surroundings.readConfiguration(file.path, true)
        } catch {
            let reason = (error as? FileFailure)?.reason ?? "\(error)"
            throw secret.mistake(
                "\(quoted(secret.name)) contains a secret, so the file must be private: \(reason)",
                hint: secret.secretHint
            )
        }
    }
}
