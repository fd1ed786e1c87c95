// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusBackground
import Foundation

// snippet.download
func downloadMap(from site: Resource, to file: URL, by transfers: BackgroundTransfers) async throws {
    let transfer = try await transfers.download(
        site["maps/europe.zip"],
        to: file,
        options: .init(existing: .replace)
    )
    print("the system is downloading", transfer.file)
}
// snippet.end

// snippet.upload
/// Uploads a film with a URL that contains its own permission.
func uploadFilm(_ film: URL, to store: Resource, by transfers: BackgroundTransfers) async throws {
    let signed = try await store["films/2026.mov"].presignedURL(.put, for: .seconds(86_400))
    try await transfers.upload(film, to: Resource(signed))
}
// snippet.end

// snippet.events
/// Runs until its task is cancelled.
func follow(_ transfers: BackgroundTransfers) async {
    for await event in transfers.events {
        switch event {
        case .progress(let transfer, let progress): print(transfer.file, progress.fractionCompleted ?? 0)
        case .downloaded(_, let file): print("downloaded", file.path)
        case .uploaded(let transfer, let response): print("uploaded", transfer.file, response.statusCode)
        case .failed(let transfer, let error): print("failed:", transfer.file, error)
        default: print(event)  // a transfer without a record, which was cancelled
        }
    }
}
// snippet.end

// snippet.cancel
func cancelAll(_ transfers: BackgroundTransfers) {
    for transfer in transfers.running { transfers.cancel(transfer) }
}
// snippet.end

/// Other code of the guide's page on background transfers.
enum BackgroundTransferring {
    static func begin(from site: Resource, in folder: URL, show: (BackgroundEvent) -> Void) async throws {
        // snippet.first
        let transfers = try BackgroundTransfers(identifier: "com.example.atlas.maps")
        try await transfers.download(site["maps/europe.zip"], to: folder.appending(path: "europe.zip"))
        for await event in transfers.events { show(event) }
        // snippet.end
    }
}

#if canImport(UIKit)
import SwiftUI
import UIKit

// snippet.app
/// One for the whole process, which finds the transfers of earlier processes.
let maps = try? BackgroundTransfers(identifier: "com.example.atlas.maps") { $0.isDiscretionary = true }

final class AtlasDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        let isOurs = maps?.handleEvents(forBackgroundSession: identifier, completionHandler: completionHandler)
        if isOurs != true { completionHandler() }
    }
}

struct AtlasApp: App {
    @UIApplicationDelegateAdaptor(AtlasDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup {
            Text("Atlas").task { if let maps { await follow(maps) } }
        }
    }
}
// snippet.end
#endif
