// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Encoded bodies made with Python 3.11: `gz = lambda b: gzip.compress(b, 9, mtime=0)`.
enum CodedSample {
    static let text = #"{"poem":"the clouds, the clouds, the clouds and the rain"}"#

    /// `gz(text)`.
    static let gzip = decoded(
        "H4sIAAAAAAACA6tWKshPzVWyUirJSFVIzskvTSnWUcDOVkjMSwFzixIz85RqARKNCLY6AAAA"
    )

    /// `zlib.compress(text, 9)`.
    static let zlib = decoded(
        "eNqrVirIT81VslIqyUhVSM7JL00p1lHAzlZIzEsBc4sSM/OUagFQDRRD"
    )

    /// `zlib.compressobj(9, zlib.DEFLATED, -15)`.
    static let raw = decoded(
        "q1YqyE/NVbJSKslIVUjOyS9NKdZRwM5WSMxLAXOLEjPzlGoB"
    )

    /// `zlib.compress(gz(text), 9)`.
    static let gzipInZlib = decoded(
        "eNqT7+ZgAAEm5tVhWif8z4ZuCtI66RHqce6kvq/mtcAD58I8zngzFncLGX+eksUo1MuxzQqoGgDmNRJr"
    )

    /// `gz(text[:20]) + gz(b"") + gz(text[20:])`.
    static let members = decoded(
        "H4sIAAAAAAACA6tWKshPzVWyUirJSFVIzskvTSnWAQDXAeJcFAAAAB+LCAAAAAAAAgMDAAAAAAAAAAAAH4sIAAAAAAACA1Mo"
            + "yUhVSM7JL00p1lFAsBUS81LA3KLEzDylWgCRmXzWJgAAAA=="
    )

    /// `gz(gz(gz(gz(gz(text)))))`.
    static let fiveTimes = decoded(
        "H4sIAAAAAAACA5Pv5mAAASZmxhiGxf/l4dzJ758lMDCqPTv5fr6qgcEq292zJJb+e14TLXdddfX0pvVc93Vvbv938xrzmfP8"
            + "N+esNhDTfj5tzXzzlyuOTb0sfb5o7YSkC/ne/GbMr9gZ5Fg6NnsAzbzk2LUyBkgDAHKGbL5zAAAA"
    )

    /// `gz` once more.
    static let sixTimes = decoded(
        "H4sIAAAAAAACAwGBAH7/H4sIAAAAAAACA5Pv5mAAASZmxhiGxf/l4dzJ758lMDCqPTv5fr6qgcEq292zJJb+e14TLXdddfX0"
            + "pvVc93Vvbv938xrzmfP8N+esNhDTfj5tzXzzlyuOTb0sfb5o7YSkC/ne/GbMr9gZ5Fg6NnsAzbzk2LUyBkgDAHKGbL5zAAAA"
            + "VjY/JoEAAAA="
    )

    /// `gz(bytes(300_000))`: 325 bytes.
    static let zeros = decoded(
        "H4sIAAAAAAACA+3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/Bj74rL24JMEAA=="
    )

    /// `gz(gz(gz(bytes(1 << 30))))`: 265 bytes for a gigabyte.
    static let bomb = decoded(
        "H4sIAAAAAAACA5Pv5mAAASbmt3cW5gUXyrQ9LFuboWamtkzgsZpHmkcXY/cNkSTFmTMdFt1OWWBwh1NCj0GknKF4d0NqUmQA"
            + "99K3vjqW7z/P+H/R/ufTJ7a/bKRz3/jk1fUcf93/dHp9fH76bmWg4QkPpoVPn3xWwqBq26+/r85qAoUMSt5/+77sduCDh29e"
            + "ej8HCjQc/P3l0Y+T3/gbdx/9vbIYKHLggey/vfPytzfEr37Prv6OESjU/N3dAOTaIBZmILnAFcyJAnMU3JA4ozKjMqMyozKj"
            + "MqMyBGX0vn1Pm6374PHfR4dfX1Su/vf2+c/bX63/819Jbz1z4g0/AwDYL/M5IwcAAA=="
    )

    private static func decoded(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}
