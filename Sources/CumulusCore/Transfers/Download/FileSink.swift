// SPDX-License-Identifier: Apache-2.0

/// Writes the body to a file, with as many requests as necessary.
struct FileSink: CallSink {
    let destination: DownloadDestination
    let options: DownloadOptions
    let links: DownloadLinks

    // The call also waits for disks.
    var needsTask: Bool { true }

    func receive(_ draft: RequestDraft, _ call: CallContext, in pipeline: RequestPipeline) async throws
        -> DownloadedFile
    {
        let fetch = try RangeFetch(draft, call, in: pipeline, links: links)
        let target = try Stage.run(.delivery, .disk, request: fetch.request) {
            try DownloadTarget(
                destination,
                of: fetch.request.url,
                caches: draft.settings.value(CachesDirectoryKey.self),
                resumes: options.keeps
            )
        }
        var download = Download(fetch, options, target)
        return try await download.run()
    }

    func end(_ output: DownloadedFile, _ registration: CallRegistration) throws {
        if let response = output.response { registration.note(response) }
        try registration.complete()
    }
}
