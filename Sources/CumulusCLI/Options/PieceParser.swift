// SPDX-License-Identifier: Apache-2.0

import CumulusUploads

/// Interprets the options of uploads that are sent in pieces.
struct PieceParser {
    private let arguments: Arguments
    private let surroundings: Surroundings
    /// The object in a store that the command line names.
    private let object: StoreURL?

    init(_ arguments: Arguments, to object: StoreURL?, in surroundings: Surroundings) {
        self.arguments = arguments
        self.object = object
        self.surroundings = surroundings
    }

    /// The upload; `nil` if it is one request.
    ///
    /// - Throws: ``UsageMistake`` for options that can't be combined.
    func upload(of path: String, _ request: Plan) throws(UsageMistake) -> PieceUpload? {
        guard arguments.tus || object != nil else {
            for (isSet, name) in [(arguments.continue, "--continue"), (arguments.abandon, "--abandon")] where isSet {
                throw UsageMistake(
                    "\(name) needs --tus or s3://BUCKET/KEY",
                    hint: "only an upload in pieces can be continued or abandoned"
                )
            }
            if arguments.endpoint != nil { throw UsageMistake("--endpoint needs s3://BUCKET/KEY") }
            return nil
        }
        if arguments.tus, object != nil {
            throw UsageMistake("--tus and s3://BUCKET/KEY can't be combined: they are different protocols")
        }
        if arguments.tus, arguments.endpoint != nil { throw UsageMistake("--endpoint needs s3://BUCKET/KEY") }
        let form = object == nil ? "--tus" : "s3://BUCKET/KEY"
        if path == "-" {
            throw UsageMistake("\(form) needs a file that can be read again, so standard input (-) can't be sent")
        }
        try refuseOthers(with: form)
        var repeated = arguments
        // Without the type, the secret would count as a Basic password, which the printed command omits.
        if let object, arguments.auth != nil { repeated.authType = arguments.authType ?? object.authType }
        return PieceUpload(
            path: path,
            uploadProtocol: object == nil ? .tus : .s3,
            resumes: arguments.continue,
            abandons: arguments.abandon,
            records: StateFolder(surroundings.environment).map { "\($0.path)/uploads" },
            continuation: ContinuationCommand(repeated, user: request.urlUser).text
        )
    }

    /// Refuses options of the command line that would have no effect.
    private func refuseOthers(with form: String) throws(UsageMistake) {
        let others = arguments.given.filter { !$0.option.fitsPieces && $0.value != .flag(false) }
        if others.isEmpty { return }
        throw UsageMistake(
            "\(UsageMistake.list(others.map { "--\($0.option.name)" }, joinedBy: "and")) can't be combined with "
                + "\(form), which defines the requests and prints only the upload's URL"
        )
    }
}
