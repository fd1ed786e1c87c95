// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats

struct Temperature: Codable, Sendable {
    var celsius: Double
}

func formats(site: Resource) {
    // snippet.formats
    site.setRules { $0.coders.registerFormats() }
    // snippet.end
}

func content(site: Resource) async throws {
    // snippet.content
    switch try await site["export"].get().content {
    case .json(let json): print(json["title"].string ?? "untitled")
    case .xml(let xml): print(xml["channel"]?["title"]?.text ?? "untitled")
    case .image(let image): print("\(image.format), \(image.data.count) bytes")
    case .text(let text): print(text)
    case .form(let form): print(form.names)
    case .propertyList(let list): print(list["title"]?.string ?? "untitled")
    case .data(let data): print("\(data.count) bytes")
    }
    // snippet.end
}

func optionals(site: Resource) async throws {
    // snippet.optional
    let next = try await site["queue/next"].get(as: Temperature?.self)  // nil for 204 and any empty body
    // snippet.end
    _ = next
}

func once(site: Resource) async throws {
    // snippet.once
    let lenient = TextCoder(unnamed: .rfc2616)
    let page = site["page"].with { $0.coders.registerText(lenient) }  // for the requests of `page`
    let response = try await page.get()
    let reading = try response.decode(as: Temperature.self, using: PropertyListCoder())  // for this response
    // snippet.end
    _ = reading
}

func patterns(site: Resource) {
    // snippet.patterns
    site.setRules { $0.coders.register(JSONCoder(), forMediaTypes: "application/vnd.acme.*", "*/x-log") }
    // snippet.end
}

func charsets(site: Resource) async throws {
    // snippet.charsets
    let news = try await site["news"].get().text(as: "gb2312")  // overrides the response's charset
    _ = try await site["news"].post(.text(news, type: "text/plain; charset=gb18030"))
    // snippet.end
}

func trees(site: Resource) async throws {
    // snippet.xml
    let feed = try await site["feed.xml"].get(as: XML.self)
    let titles = feed["channel"]?.elements("item").compactMap { $0["title"]?.text } ?? []
    let note = XML("note", attributes: ["to": "Ada"], text: "Clouds <are> water")
    _ = try await site["notes"].post(body: note)
    // snippet.end

    // snippet.xml-paths
    let atom = "http://www.w3.org/2005/Atom"
    let links = feed.texts(at: "channel/item/link")  // names as in the document
    let entries = feed.elements("entry", in: atom)  // by namespace, whatever its prefix
    let targets = feed.texts(at: "a:entry/a:link/@href", namespaces: ["a": atom])
    // snippet.end
    _ = (links, entries, targets)

    // snippet.xml-built
    let order = XML("order", attributes: ["id": "7"]) {
        for title in titles { XML("line", text: title) }
        XML("note") { "as soon as possible" }
    }
    let entry = XML("entry", in: atom) { XML("title") { "Clouds" } }
    // snippet.end
    _ = (order, entry)
    _ = titles
}

func lists(site: Resource) async throws {
    // snippet.plist
    let reading = try await site["reading.plist"].get(as: Temperature.self)
    let list = try await site["settings.plist"].get(as: PropertyList.self)
    let name = list["user"]?["name"]?.string
    // XML; PropertyListCoder(format: .binary) writes the other format
    _ = try await site["reading.plist"].put(body: reading)
    // snippet.end
    _ = name
}

func images(site: Resource) async throws {
    // snippet.images
    let image = try await site["hero.png"].get(as: EncodedImage.self)
    print("\(image.format) of \(image.data.count) bytes")
    _ = try await site["copy"].put(body: image)  // as image/png
    // snippet.end
}

func lines(site: Resource, readings: AsyncStream<Temperature>) async throws {
    for try await reading in try await site["readings.ndjson"].call(.get).stream().jsonLines(as: Temperature.self) {
        print(reading.celsius)
    }
    _ = try await site["readings"].post(.jsonLines(readings))  // each sent as it arrives
}

func failures(site: Resource) async throws {
    // snippet.failures
    do {
        _ = try await site["reading"].get(as: Temperature.self)
    } catch let error as CumulusError where error.code == .decoding {
        print(error)  // type, length, media type, coding path; no part of the body
        if let problem = error.cause as? DecodingProblem { print(problem.excerpt.revealed) }
    }
    // snippet.end
}
