// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of uploads that are sent in pieces.
struct PieceOptions: ParsableArguments {
    @Flag(name: .long, help: "Send the file in pieces by tus 1.0; URL creates uploads.")
    var tus = false

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Continue an interrupted upload of the file.")
    var resumes = false

    @Flag(name: .long, help: "Remove an interrupted upload of the file, and send nothing.")
    var abandon = false

    @Option(
        name: .long,
        help: ArgumentHelp("The store of s3://BUCKET/KEY (default: Amazon's in AWS_REGION).", valueName: "url")
    )
    var endpoint: String?
}
