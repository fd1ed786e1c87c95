// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Chapter 6: forms with files, and multipart responses.
struct Parts {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Multipart bodies")
        await guide.step(
            "A form with a file is multipart",
            "try await site[\"photos\"].post(.multipart([\"title\": \"Größe\", \"photo\": .bytes(png, fileName: \"a \\\"b\\\".png\")]))"
        ) {
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
            let form: MultipartForm = ["title": "Größe", "photo": .bytes(png, fileName: "a \"b\".png")]
            let text = try await site["photos"].post(.multipart(form), as: String.self)
            try promise(text == "title: 7 bytes\nphoto, the file a \"b\".png (image/png): 4 bytes", text)
            return text
        }
        await guide.step(
            "A multipart response is read as it arrives",
            "for try await part in try await site[\"batch\"].bytes().parts() { ... }"
        ) {
            var ids: [Int] = []
            for try await part in try await site["batch"].bytes().parts() {
                ids.append(try await part.collect().json()["id"].int ?? 0)
            }
            try promise(ids == [1, 2], "\(ids)")
            return "ids \(ids)"
        }
    }
}
