// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CumulusGuide {
    /// A type that knows how to be made of raw data.
    struct MyImage: Sendable {
        let pixels: Int
        init(_ data: Data) throws { pixels = data.count }
    }

    /// Where values are saved: a database's context on a thread of its own, as `@ModelActor` and
    /// `NSManagedObjectContext.perform` are, with the context that it saves into.
    actor Store {
        let parent: Store?
        private(set) var objects: [Int] = []
        private var isSaved = 0
        init(parent: Store? = nil) { self.parent = parent }

        func insert(_ image: MyImage) -> Int {
            objects.append(image.pixels)
            return objects.count
        }

        func save() async throws {
            for object in objects[isSaved...] { await parent?.take(object) }
            isSaved = objects.count
        }

        private func take(_ object: Int) { objects.append(object) }
    }

    static func background(
        _ posts: Resource,
        on queue: DispatchQueue,
        _ save: @escaping @Sendable (Post) -> Void
    ) -> RunningCall<Post> {
        // Original: "Processing Results in the Background", dispatch_async; 12 lines
        posts[1].call(.get, as: Post.self).start(on: queue) { result in
            // save something to your database in the background
            if let post = try? result.get() { save(post) }
        }
        // End
    }

    static func postProcessor(_ site: Resource) async throws -> MyImage {
        // Original: "Processing Results in the Background", postProcessorBlock; 11 lines
        let call = site["pictures/abc123"].call(.get, as: Data.self).map { data in
            // we know the service returns raw data, and we transform it to a custom type
            try MyImage(data)
            // the call gives the custom type instead of the original raw data
        }
        let picture = try await call.send()
        print("Your picture is ready: \(picture)")
        // End
        return picture
    }

    /// The original leaves this one open.
    static func chain(_ site: Resource) async throws -> String {
        try await site["pictures/abc123"].call(.get, as: Data.self)
            .map { data in try MyImage(data) }
            .map { image in "\(image.pixels) pixels" }
            .send()
    }

    static func database(_ site: Resource, _ childContext: Store) async throws -> Int {
        // Original: "Mapping Results to Core Data"; 18 lines
        let call = site["pictures/abc123"].call(.get, as: Data.self).map { data in
            // process result into an object of the context ...
            let identifier = await childContext.insert(try MyImage(data))
            try await childContext.save()  // into its parent
            return identifier
        }
        let identifier = try await call.send()
        // End
        return identifier
    }

    // Original: "Serializing Results To/From Native Types", MyXMLCoder; 19 lines
    struct MyXMLCoder: BodyCoder {
        var mediaType: MediaType { .xml }

        func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
            guard let document = value as? XML else { throw CodingProblem("\(type(of: value)) is not a document") }
            return ByteChunk(try document.encoded())
        }

        func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws
            -> Value
        {
            let document = try bytes.withUnsafeBytes { try XML(parsing: $0) }
            guard let value = document as? Value else { throw CodingProblem("\(type) is not a document") }
            return value
        }
    }
    // End

    static func registerCoder(on site: Resource) {
        site.setRules { $0.coders.register(MyXMLCoder(), for: XML.self) }
    }
}
