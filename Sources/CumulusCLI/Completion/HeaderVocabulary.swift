// SPDX-License-Identifier: Apache-2.0

/// The request header fields that people write by hand, with their common values.
enum HeaderVocabulary {
    static let values: [(name: String, values: [String])] = [
        ("Accept", ["application/json", "application/xml", "text/html", "text/csv", "text/event-stream", "*/*"]),
        ("Accept-Encoding", ["gzip", "br", "zstd", "identity"]),
        ("Accept-Language", ["en", "de", "fr", "es"]),
        ("Authorization", []),
        ("Cache-Control", ["no-cache", "no-store", "max-age=0"]),
        (
            "Content-Type",
            [
                "application/json", "application/x-www-form-urlencoded", "application/xml", "text/plain", "text/csv",
                "application/octet-stream", "application/merge-patch+json", "application/json-patch+json",
            ]
        ),
        ("Cookie", []),
        ("Host", []),
        ("If-Match", ["*"]),
        ("If-Modified-Since", []),
        ("If-None-Match", ["*"]),
        ("Origin", []),
        ("Prefer", ["return=minimal", "return=representation", "respond-async"]),
        ("Range", ["bytes=0-"]),
        ("Referer", []),
        ("User-Agent", []),
        ("X-API-Key", []),
        ("X-Request-ID", []),
    ]
}
