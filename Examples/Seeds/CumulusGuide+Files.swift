// SPDX-License-Identifier: Apache-2.0

import Cumulus

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CumulusGuide {
    @MainActor final class ProgressBar {
        var isHidden = true
        var progress = 0.0
    }

    static func progress(_ pictures: Resource, _ bar: ProgressBar) -> RunningCall<Response> {
        // Original: "Showing Progress"; 7 lines
        pictures["abc123"].call(.get).start(
            onProgress: { event in
                bar.isHidden = false
                bar.progress = event.fractionCompleted ?? 0
            },
            { _ in bar.isHidden = true }
        )
        // End
    }

    static func download(from site: Resource, to directory: URL) async throws -> DownloadedFile {
        // Original: "Up & Downloading Direct From Disk", downloadWithProgressBlock:; 5 lines
        let bigImage = site["bigImage.png"]
        let downloadedFile = try await bigImage.download(to: .directory(directory))
        // The file is where you want it
        // End
        return downloadedFile
    }

    static func chunks(from site: Resource, to file: URL) async throws -> DownloadedFile {
        // Original: "Up & Downloading Direct From Disk", downloadInChunks; 5 lines
        let massiveVideo = site["huge_video.m4v"]
        let inChunks = DownloadOptions(connections: 4)
        let downloadedFile = try await massiveVideo.download(to: file, options: inChunks) { print($0) }
        // The file is where you want it
        // End
        return downloadedFile
    }

    static func upload(to service: Resource, _ fileURL: URL) async throws {
        // Original: "Up & Downloading Direct From Disk", uploadFile:; 13 lines
        let hero = service["test/upload/hero"]
        let upload = hero.call(.put, .file(fileURL)).start()
        for await event in upload.progress { print("progress: \(event.fractionCompleted ?? 0)") }
        let response = try await upload.value
        if response.isSuccessful {
            print("Upload done!")
        }
        // End
    }
}
