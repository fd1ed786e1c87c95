// SPDX-License-Identifier: Apache-2.0

import CumulusUploads

/// An upload in pieces, which can be continued.
struct PieceUpload: Sendable {
    /// The file's path.
    var path: String
    var uploadProtocol: UploadProtocol
    var resumes: Bool
    /// Whether an interrupted upload is removed, and nothing is sent.
    var abandons: Bool
    /// The folder of records; `nil` if neither XDG_STATE_HOME nor HOME is set.
    var records: String?
    /// The command that continues after an interruption.
    var continuation: String
}

/// Interprets the options of uploads that are sent in pieces.
struct PieceParser {
    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The upload; `nil` if it is one request.
    ///
    /// - Throws: ``UsageMistake`` for options that can't be combined.
    func upload(of path: String, _ request: Plan) throws(UsageMistake) -> PieceUpload? {
        let options = arguments
        let isObject = arguments.words.dropFirst().first.map(StoreURL.isOne) ?? false
        guard options.tus || isObject else {
            for (isSet, name) in [(options.continue, "--continue"), (options.abandon, "--abandon")] where isSet {
                throw UsageMistake(
                    "\(name) needs --tus or s3://BUCKET/KEY",
                    hint: "other servers receive a file as a whole"
                )
            }
            if options.endpoint != nil { throw UsageMistake("--endpoint needs s3://BUCKET/KEY") }
            return nil
        }
        if options.tus, isObject { throw UsageMistake("--tus and s3://BUCKET/KEY can't be combined") }
        if options.tus, options.endpoint != nil { throw UsageMistake("--endpoint needs s3://BUCKET/KEY") }
        let form = isObject ? "s3://BUCKET/KEY" : "--tus"
        if path == "-" { throw UsageMistake("\(form) takes a file, which can be read again; - is standard input") }
        let others = [
            (options.method != nil, "--method"), (options.compress > 0, "--compress"), (options.offline, "--offline"),
            (options.curl, "--curl"),
        ]
        for (isSet, name) in others where isSet {
            throw UsageMistake("\(name) can't be combined with \(form), which defines the requests")
        }
        return PieceUpload(
            path: path,
            uploadProtocol: isObject ? .s3 : .tus,
            resumes: options.continue,
            abandons: options.abandon,
            records: StateFolder(surroundings.environment).map { "\($0.path)/uploads" },
            continuation: ContinuationCommand(arguments, user: request.urlUser).text
        )
    }
}
