// SPDX-License-Identifier: Apache-2.0

extension RequestPipeline {
    /// The path of a download: preflight, the list of running requests, and then as many requests as it takes.
    func download(
        _ draft: RequestDraft,
        to destination: DownloadDestination,
        _ options: DownloadOptions
    ) async throws -> DownloadedFile {
        guard let log else { return try await download(draft, to: destination, options, log: nil) }
        return try await log.follow(draft, on: exchange.transmission.clock) { call in
            try await download(draft, to: destination, options, log: call)
        }
    }

    private func download(
        _ draft: RequestDraft,
        to destination: DownloadDestination,
        _ options: DownloadOptions,
        log: RequestLog.Call?
    ) async throws -> DownloadedFile {
        let started = exchange.transmission.clock.moment
        let approved = try await preflight.review(draft)
        let pass = try tracking.begin(approved, started)
        do {
            let encoded = try encoding.encode(approved)
            let target = try Stage.run(.delivery, .disk, request: encoded) {
                try DownloadTarget(
                    destination,
                    of: encoded.url,
                    caches: approved.resource.settings.value(CachesDirectoryKey.self),
                    resumes: options.keeps
                )
            }
            let fetch = RangeFetch(pipeline: self, draft: approved, pass: pass, started: started, log: log)
            // A task of its own, since a download also waits for disks and for the next try.
            let file = try await tracking.inOwnTask(pass) {
                var download = Download(fetch, options, target, url: encoded.url)
                return try await download.run()
            }
            if let response = file.response { pass.note(response) }
            try pass.complete()
            return file
        } catch {
            throw pass.fail(error)
        }
    }
}
