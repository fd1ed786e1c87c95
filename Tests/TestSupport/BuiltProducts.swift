// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The programs and modules that were built together with the tests.
package enum BuiltProducts {
    /// The folder of the programs and modules.
    package static let folder: URL = {
        #if os(macOS)
        // A helper of SwiftPM, elsewhere, loads the tests from a bundle in that folder.
        if let tests = Bundle.allBundles.first(where: { $0.bundleURL.pathExtension == "xctest" }) {
            return tests.bundleURL.deletingLastPathComponent()
        }
        #endif
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }()

    /// The path of the command.
    package static let command: String = {
        #if os(macOS)
        // Its product has another name there (Package.swift).
        return folder.appending(path: "cumulus-cli").path
        #else
        return folder.appending(path: "cumulus").path
        #endif
    }()
}
