// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Shelf

/// Lists and fetches books from the terminal.
@main struct ShelfTool {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard let url = words.first, let command = ShelfCommand(words.dropFirst()) else {
            print(ShelfCommand.usage)
            exit(64)
        }
        let token = ProcessInfo.processInfo.environment["SHELF_TOKEN"].map { Secret($0) }
        exit(await command.run(on: Shelf(site: Resource(url), token: token)) { print($0) })
    }
}
