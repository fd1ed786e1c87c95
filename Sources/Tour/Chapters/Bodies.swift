// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCodings
import HTTPTypes

/// Chapter 5: bodies of any size, and requests without a tree.
struct Bodies {
    let site: Resource
    let url: String

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Bodies, and one-off requests")
        await streams(&guide)
        await wholes(&guide)
    }

    private func streams(_ guide: inout TourGuide) async {
        await guide.step(
            "A body is read as it arrives",
            "for try await chunk in try await site[\"rain\"].bytes() { ... }"
        ) {
            var text = ""
            for try await chunk in try await site["rain"].bytes() {
                text += String(decoding: chunk.bytes, as: UTF8.self)
            }
            try promise(text.ends(with: "drop 5\n"), text)
            return text
        }
        await guide.step(
            "Or value by value",
            "for try await drop in try await site[\"rain.ndjson\"].bytes().jsonLines(as: Post.self) { ... }"
        ) {
            var drops: [Int] = []
            for try await drop in try await site["rain.ndjson"].bytes().jsonLines(as: Post.self) {
                drops.append(drop.id ?? 0)
            }
            try promise(drops == [1, 2, 3, 4, 5], "\(drops)")
            return "\(drops)"
        }
        await guide.step(
            "A body is sent as it is made",
            "try await site[\"echo\"].put(.stream(chunks, type: \"text/plain\"))"
        ) {
            let chunks = AsyncStream<[UInt8]> { continuation in
                for word in ["up ", "and ", "away"] { continuation.yield(Array(word.utf8)) }
                continuation.finish()
            }
            let echo = try await site["echo"].put(.stream(chunks, type: "text/plain"))
            try promise(echo.text == "up and away", "\(echo)")
            return echo.text ?? ""
        }
    }

    private func wholes(_ guide: inout TourGuide) async {
        await guide.step(
            "A literal may hold values of several types",
            "try await site[\"echo\"].post([\"title\": title, \"stars\": 3, \"at\": nil])"
        ) {
            let title = "Clouds"
            let echo = try await site["echo"].post(["title": title, "stars": 3, "at": nil])
            try promise(echo.text == #"{"title":"Clouds","stars":3,"at":null}"#, "\(echo)")
            return echo.text ?? ""
        }
        await guide.step(
            "A long body can be compressed",
            "site.contentCodings = [.zstd, .brotli, .gzip]\ntry await site[\"echo\"].post(.text(long).compressed())"
        ) {
            let long = String(repeating: "rain, ", count: 1_000)
            let resource = site["echo"]
            resource.contentCodings = [.zstd, .brotli, .gzip]
            let echo = try await resource.post(.text(long).compressed())
            try promise(echo.bytes.count < long.utf8.count, "\(echo)")
            let coding = echo.request.headers[.contentEncoding] ?? "none"
            let asked = echo.request.headers[.acceptEncoding] ?? "nothing"
            return "\(long.utf8.count) bytes were sent as \(echo.bytes.count) with \(coding); accepted: \(asked)"
        }
        await guide.step(
            "An encoded response is decoded as it is read",
            "let answer = try await site[\"packed\"].post(.text(long).compressed())\n"
                + "print(answer.text, answer.receivedHeaders[.contentEncoding])"
        ) {
            let long = String(repeating: "rain, ", count: 1_000)
            let answer = try await site["packed"].post(.text(long).compressed())
            let coding = answer.receivedHeaders[.contentEncoding]
            try promise(answer.text == long && coding == "gzip" && answer.headers[.contentEncoding] == nil, "\(answer)")
            return "\(answer.bytes.count) bytes of \(answer.facts.bytesReceived) that came, by \(coding ?? "")"
        }
        await places(&guide)
    }

    private func places(_ guide: inout TourGuide) async {
        await guide.step(
            "Page after page",
            "while let next = page.links[\"next\"] { page = try await site.follow(next).get() }"
        ) {
            var page = try await site["pages/1"].get()
            var texts = [page.text ?? ""]
            while let next = page.links["next"] {
                page = try await site.follow(next).get()
                texts.append(page.text ?? "")
            }
            try promise(texts == ["page 1", "page 2", "page 3"], "\(texts)")
            return texts.joined(separator: ", ")
        }
        await guide.step("Memory is bounded", "site[\"posts\"].with { $0.maxBodySize = 10 }.get()") {
            let error = try await failure { try await site["posts"].with { $0.maxBodySize = 10 }.get() }
            try promise(error.code == .bodyTooLarge, "\(error)")
            return "\(error)"
        }
        await guide.step("No tree needed", "try await REST.get(\"\(url)/posts/2\")") {
            let answer = try await REST.get("\(url)/posts/2")
            try promise(answer.isSuccessful, "\(answer)")
            return answer.text ?? ""
        }
        await guide.step("The transport's facts", "answer.facts") {
            let facts = try await site["posts/1"].get().facts
            try promise(facts.bytesReceived > 0, "\(facts)")
            return
                "\(facts.protocolName ?? "?") with \(facts.remoteAddress ?? "?"), connection used before: \(facts.isReused), "
                + "\(facts.bytesSent) bytes out, \(facts.bytesReceived) in"
        }
    }
}
