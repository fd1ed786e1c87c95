// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

/// Secrets compared with each other and with texts.
@Suite struct SecretTests {
    @Test("a secret and a text compare in one step, by their bytes")
    func texts() {
        let secret = Secret("caf\u{E9}")
        let (same, composed, other, long) = ("caf\u{E9}", "cafe\u{301}", "cafe", "caf\u{E9}1")
        #expect(secret == same && same == secret && !(secret != same) && !(same != secret))
        for text in [composed, other, long, ""] {
            #expect(secret != text && text != secret && !(secret == text))
            #expect(secret != Secret(text))
        }
        #expect(Secret("") == "" && secret == "caf\u{E9}")
        #expect(secret == Secret(same) && Set([secret, Secret(same)]).count == 1)
        #expect(Secret(7) == Secret(7) && Secret(7) != Secret(8))
    }
}
