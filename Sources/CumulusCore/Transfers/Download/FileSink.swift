// SPDX-License-Identifier: Apache-2.0

/// Takes the body to a file, with as many requests as it takes.
struct FileSink: CallSink {
    let destination: DownloadDestination
    let options: DownloadOptions

    // It also waits for disks.
    var needsTask: Bool { true }

    func receive(_ draft: RequestDraft, _ call: Call, in pipeline: RequestPipeline) async throws -> DownloadedFile {
        let encoded = try pipeline.encoding.encode(draft)
        let target = try Stage.run(.delivery, .disk, request: encoded) {
            try DownloadTarget(
                destination,
                of: encoded.url,
                caches: draft.resource.settings.value(CachesDirectoryKey.self),
                resumes: options.keeps
            )
        }
        let fetch = RangeFetch(pipeline: pipeline, draft: draft, call: call)
        var download = Download(fetch, options, target, url: encoded.url)
        return try await download.run()
    }

    func end(_ output: DownloadedFile, _ registration: RequestRegistration) throws {
        if let response = output.response { registration.note(response) }
        try registration.complete()
    }
}
