// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct ProgressLineTests {
    private static let half = ProgressLine(
        name: "debian-12.iso",
        completed: 15_204_352,
        total: 30_408_704,
        rate: 4_299_161,
        elapsed: .seconds(3)
    )
    private static let ascii = ProgressLine.Style(isUnicode: false)

    @Test func theLineFitsAtEveryWidth() {
        var lines = [Self.half]
        lines.append(ProgressLine(name: "日本語のとても長いファイル名.tar.gz", completed: 1, total: nil, rate: nil))
        lines.append(ProgressLine(name: "x", hasBegun: false))
        lines.append(ProgressLine(name: "", completed: 5, total: 0, rate: 0))
        lines.append(ProgressLine(name: String(repeating: "n", count: 300), completed: .max, total: .max, rate: 1e18))
        for line in lines {
            for isUnicode in [true, false] {
                for width in 0...200 {
                    let text = line.text(width: width, style: ProgressLine.Style(isUnicode: isUnicode))
                    #expect(DisplayWidth.of(text) <= width, "\(width): \(text)")
                    if width > 0 { #expect(!text.isEmpty) }
                }
            }
        }
    }

    @Test func whatThereIsNoRoomForIsLeftOut() {
        func text(_ width: Int) -> String { Self.half.text(width: width, style: Self.ascii) }
        #expect(text(81) == "debian-12.iso   50%  ============>------------  14.5/29.0 MiB    4.0 MiB/s   0:04")
        #expect(!text(56).contains("=") && text(56).contains("14.5/29.0 MiB"))
        #expect(!text(44).contains("MiB ") && text(44).contains("MiB/s"))
        #expect(text(30).contains("50%") && text(30).contains("0:04") && !text(30).contains("MiB"))
        #expect(text(11) == " 50%   0:04")
        #expect(text(4) == " 50%")
    }

    @Test func aBarIsFullOnlyAtTheEnd() {
        var line = Self.half
        line.completed = 30_408_703
        #expect(line.text(width: 100, style: Self.ascii).contains(" 99%"))
        #expect(line.text(width: 100, style: Self.ascii).contains("-") || line.text(width: 100).contains("╸"))
        line.completed = 30_408_704
        let full = line.text(width: 100, style: Self.ascii)
        #expect(full.contains("100%") && !full.contains("--") && full.hasSuffix("0:00"))
    }

    @Test func withoutATotalABlockMovesAndTheTimeSoFarIsShown() {
        var line = ProgressLine(name: "stream", completed: 5_000_000, rate: 1_000_000, elapsed: .seconds(5))
        let first = line.text(width: 90, style: Self.ascii)
        #expect(first.contains("?%") && first.contains("4.7 MiB") && first.hasSuffix("0:05"))
        line.elapsed = .milliseconds(5_300)
        #expect(line.text(width: 90, style: Self.ascii) != first)
    }

    @Test func beforeTheAnswerItWaits() {
        let line = ProgressLine(name: "a.bin", elapsed: .seconds(4), hasBegun: false)
        #expect(line.text(width: 80) == "a.bin  waiting for the server  0:04")
        #expect(line.text(width: 10) == "a.bin")
    }

    @Test func colorsTakeNoRoom() {
        let plain = Self.half.text(width: 80)
        let painted = Self.half.text(width: 80, style: ProgressLine.Style(hasColors: true))
        #expect(painted.contains("\u{1B}[32m"))
        let stripped = painted.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(stripped == plain)
    }

    @Test func namesAreShortenedInTheMiddleByColumns() {
        #expect(DisplayWidth.of("日本") == 4)
        #expect(DisplayWidth.of("e\u{301}") == 1)
        #expect(DisplayWidth.fitted("photograph.jpeg", to: 10, dots: "…") == "photo…jpeg")
        #expect(DisplayWidth.fitted("日本日本日本", to: 7, dots: "...") == "日...本")
        #expect(DisplayWidth.fitted("日本日本日本", to: 6, dots: "…") == "日…本")
        #expect(DisplayWidth.fitted("short", to: 10, dots: "…") == "short")
    }
}
