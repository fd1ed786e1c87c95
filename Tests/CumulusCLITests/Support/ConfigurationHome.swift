// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A home with a configuration file, and a working folder.
struct ConfigurationHome {
    let folder: TemporaryFolder

    init(_ configuration: String? = nil, mode: Int = 0o644) throws {
        folder = try TemporaryFolder()
        for name in ["config/cumulus", "state", "work"] { try make(name) }
        if let configuration { try write(configuration, to: "config/cumulus/config.toml", mode: mode) }
    }

    /// Makes a folder.
    func make(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }

    /// Writes a file.
    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        let path = "\(folder.path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Runs the built program in the working folder.
    func run(_ arguments: String...) async throws -> BuiltProgram.End { try await run(arguments) }

    /// Runs the built program in a folder.
    func run(_ arguments: [String], in work: String = "work") async throws -> BuiltProgram.End {
        let shell = """
            cd '\(folder.path)/\(work)' && unset CUMULUS_BASE http_proxy HTTP_PROXY all_proxy ALL_PROXY NETRC && \
            HOME='\(folder.path)' XDG_CONFIG_HOME='\(folder.path)/config' XDG_STATE_HOME='\(folder.path)/state' exec "$@"
            """
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }
}
