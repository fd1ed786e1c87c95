// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Cumulus' own guide, sample for sample, each marked with the original's section and the number of its lines.
enum CumulusGuide {}

extension CumulusGuide {
    static func aBaseResource(at url: String) async -> Resource {
        // Original: "Creating Resources", [site getWithCompletionBlock:]; 7 lines
        let site = Resource(url)
        // Health check
        if (try? await site.get().isSuccessful) != true {
            print("The site is down!")
        }
        // End
        return site
    }

    static func settings(of site: Resource) {
        // Original: "Creating Resources", site.contentType; 5 lines
        site.setRules {
            $0.contentType = .json
            $0.timeout = .seconds(20)
            $0.maxConcurrentRequests = 10
            $0.headers["X-MyCustomHeader"] = "foo"
            $0.query = ["TOKEN": "MY API TOKEN"]
        }
        // End
    }

    static func children(of site: Resource) -> [Resource] {
        // Original: "Creating Resources", [site resource:]; 3 lines
        let users = site["users"]
        let posts = site["posts"]
        let one = site[1]
        // End
        return [users, posts, one]
    }

    static func formats(in site: Resource) -> [Resource] {
        // Original: "Creating Resources", resourceWithFormat:; 2 lines
        let user123 = site.child(format: "users/%@", 123)
        let todaysPosts = site["posts/\("today")"]
        // End
        return [user123, todaysPosts]
    }

    static func grandchildren(of posts: Resource) -> [Resource] {
        // Original: "Creating Resources", ad infinitum; 2 lines
        let uploads = posts["uploads"]
        let myUploads = uploads["123"]
        // End
        return [uploads, myUploads]
    }

    static func override(on uploads: Resource) {
        // Original: "Creating Resources", override; 2 lines
        // Give user more time to upload
        uploads.setRules { $0.timeout = .seconds(60) }
        // End
    }

    static func anonymous(in site: Resource) async throws -> Response {
        // Original: "Creating Resources", anonymously; 1 line
        let response = try await site["accounts/abc123"].get()
        // End
        return response
    }
}
