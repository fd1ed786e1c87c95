// SPDX-License-Identifier: Apache-2.0

import Foundation

/// PKCS#12 files of the certificate and key of ``EncryptedIdentity``, made by `openssl pkcs12 -export` (OpenSSL 3.0); the
/// passphrase is `hunter2`.
package enum PKCS12Files {
    /// With AES-256, as since OpenSSL 3.
    package static let usual = bytes(
        """
        MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjqr1Ulpz5uGwICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOom
        6DdiXyxQ1XeNmklJCjKAggHQygOb7gyPs14DMQY9L3j8WrsLmoILwtghfUDwCbctVawhvXw6JrV4rAFbFiImWdsqcnR4lrN65ZII
        26XgtyOJxQAC3acSb44kuF4kO7mWn/m2JXxQyNXOFPDkRoMJHJDBI3xJoFQCj+QgAiiUxSGx2a604n3J+WHXGPa7HLxBtRtqA5uf
        1fz/SOsf71LcQ9GDA6Xh4aeZ7g0tBfnTzgkw3QfL3aS8fLzaUTJMjmejPqFrirT7CwVyW2TKPNZYCGaCeKkmQlWQIZHuF+cYNNvv
        qi/jDdQANAw5TWQ+P27X277zj0UVmcTt1yKSwMTVGMd96favTzklbJAC3lx7tNznNlb2pRBkQLeRbiWXIEjPB2UtZ9GYlh5EEAg0
        OjgHicZIOusKaFFjhMgm5MLWP0zNj4weY38o1x3Ji+OXgrq4A6hSu+HCcJaJRz2mao2BeuZZzA9WGGnP3aOiTfpMez21/Ylc6LUE
        +VHxppkuXuVvDCmvn1kt/VLCi2XmoIxMECZ2rfeaV8NAoOxAHC1FPpgeYkty6N9SoxvWU/C0Tq/6EoGv6bFtp4dLCqsezwO5HNOj
        pdjuRmaMDL0lyVqUAPTJ97b/375aqiZQDmpKHfl16ecwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoB
        AqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIkOXab+XEzkQCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUD
        BAEqBBBzsiIiEnjUZ/FvDDLS3oq7BIGQzer5rWlqW2XGs7Pecu0ZKTkHHTqPU0CsTNMMCOD0cFAE2dYm7HwOxrSUspTOAoM2a334
        b0KZnQ6iXXOkGJP9pgCO++8/BhQYMern7s2AKuE36Ld+9RdRkfwcFIeHAMjlVgDldhr/iUJqwq5V1rMzo0Pook7mdD0vhUiBDSHL
        uix5S6rz/FLcb/BQyKInTReWMSUwIwYJKoZIhvcNAQkVMRYEFFQ8I9wG2JVUI/9n8quZqsE83crQMEEwMTANBglghkgBZQMEAgEF
        AAQgKp2Di3vmDwxyXDGIOS39Wjx3pd/1yZwAYuaB9w0LCAEECJ7Uyfs7j4VfAgIIAA==
        """
    )
    /// With `-legacy`: 40 bits of RC2, and triple DES.
    package static let old = bytes(
        """
        MIIDcgIBAzCCAzgGCSqGSIb3DQEHAaCCAykEggMlMIIDITCCAhcGCSqGSIb3DQEHBqCCAggwggIEAgEAMIIB/QYJKoZIhvcNAQcB
        MBwGCiqGSIb3DQEMAQYwDgQI2dvI/DBItdICAggAgIIB0HE7QBuNkLb7fsqmiNz09TrBWyg440j1nSRM0WlZJyhURraMbUssyNIO
        83LMGsQpr/0WSYuTrC9pC/AhPlo4xJCrtn33NqkX07fe6roi6hELFTlaj2xCuwHOi6zsJaDSws0ndlDVJwhcRPvNstynF4G4VPGx
        N/GrZ4vvNEi4SvTrVOG4JtIp2k2hMRzAgkZ0ZxUBRB8mt0uKZ+CVwphVFWrvmeOdP8tb4M4wFAh/QVozkScKybbSgT4ZUb411NJz
        SJdd2LuW/6ttjL0X9YCFku4WXEbu3PCRQedO1Uy0FyMLN4hWwNk6tqtXj5TGkdovIZpTIwFzu635zzYLAbKfQWHdEvBPCY5ifz3w
        lFlEHESxLy3xd9ik9bHPW5v3uufhKz0RJ4V3uBqCYKpZbCvvvhgBLp/oReif9HazPMfclupHe+YHWTP2bQ8Cv/21zJ/b1XohQm82
        Jp34RCvBEnxtNyYOnGrJz1m9l1VCEHIP+j0w4s+i1kYpWgVMhH94n4Gdv0x6czM6UgQ6KSdeendThT3FQfYtu4DED5BowuoyPeap
        v17iBaV94Cjl63qrNdnL1Cm041Lts3OoIftcEkn76lFiQ1YHov3U+JVEVL5UtIjeMIIBAgYJKoZIhvcNAQcBoIH0BIHxMIHuMIHr
        BgsqhkiG9w0BDAoBAqCBtDCBsTAcBgoqhkiG9w0BDAEDMA4ECPYHV6PzURT0AgIIAASBkM4h/rCxbDpLMNsR1h4fOIcTmWzN9Amj
        GiMHtztXjcsTbUKsGOKjkW8MzEdr0M4NGtGiy2N+I8M+51SFmLdRO3JBLMAgVFwXrl5FUCGQ19zB+57qzm50QHMpPTWvMJI2gFar
        mOilOg5Av9jOUg16Tdy4CdH6CsUFvy4YCMsEzoOX8TCqz2GqBHuybiv+mlAHoDElMCMGCSqGSIb3DQEJFTEWBBRUPCPcBtiVVCP/
        Z/KrmarBPN3K0DAxMCEwCQYFKw4DAhoFAAQUmuFoSOJJByUmDdwiD+baSb/KGKMECOzPqC7yLi2jAgIIAA==
        """
    )
    /// With an empty passphrase.
    package static let withoutPassphrase = bytes(
        """
        MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjtXRFbo4BMcAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJ5b
        L8v+lHPDzhOFqaf6RBGAggHQvOmlJWuyv/0teGjugR9Llo844gjoKcRy9TKOF27c1aC9GLAIMSV46B1fEMw4UYbwepluu6S9Gk9E
        DtbJq+3pmmXfx85sDUYTjdkCkUpmFuxsddiMsJWSyW/uzuIOVZvXKzC1p3zMTv/HFIw0MgWX9EQOzdP04G9eP18pb3EI+MQ8fkdq
        +FOs95trDP+iGhll2JHaeJoFBMy4bWWmB869J3KDxcQM0rfYO0UDD4lueQz9j2Y6U43bw11NZObEVt8P3E4MKfSfzCNB1VADXB+V
        bxFIJNR+bz5R6rxRUTJj7HmVaYFEWSSaiB1OdiIr7T/gFtqicznEhWGEyF0y9l6k+tBwmMTnhs4vAIU6yGdFYFNd6L2nSYVeg8mR
        dy0PSOCA3N2Mf7omNjQjaREluBHqbDG687iXcFOdNgurGLLB7k3+kBE3HhOxz80twAQ3uL2ldHoGc1NOB+p+nPwJwAjyGimTFIH8
        NHDGKplNGEh6Shpre5rRM4wwGMm5NjZnA9XcmiS59udAhhjDMKOvgqED7F6dsnTagot2nW4NosFZRtxORVnQpxf38qam5ROqdX2P
        uhi3LK6tUK/z7PmTyjaFZ20ZkwZH+1zsSQTOoYEep1swggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoB
        AqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQILcBp8pLGDYwCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUD
        BAEqBBBUQFhOgCmiEYqXDqkxKZ3LBIGQ3rHRekOeKjynKK6qJ1Z79oo7OiUurRTpK5N5smPRjtQz67+L7xDzQgTCgoTfzXC0kGyV
        kSewTko6Lt8GP+T+MkddgsXfas7SGBCufmScsZmI0lefXHj0PM2Esac9Z2v8J71zMsZB83tL8KuUdKSXt8mEqSJ/Eyp86mRpvwxY
        0Hx5NT/IvB6ZR/KsI5bEFHM5MSUwIwYJKoZIhvcNAQkVMRYEFFQ8I9wG2JVUI/9n8quZqsE83crQMEEwMTANBglghkgBZQMEAgEF
        AAQg7B+u6mO0wELYdoWA483McLdGidr9t3fK0wYC+jj7/f0ECDNO9JHMXZ5AAgIIAA==
        """
    )
    /// With `-nokeys`.
    package static let withoutKey = bytes(
        """
        MIIClwIBAzCCAk0GCSqGSIb3DQEHAaCCAj4EggI6MIICNjCCAjIGCSqGSIb3DQEHBqCCAiMwggIfAgEAMIICGAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjSScv4IWbqlAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEMJc
        Q1ETS/ZKrK0e+rRoxDOAggGwm99m0pja/P8shHdmmbLS3kh9zVllepbwmCqx3TVjgE2Qoe0ptLzQQ7+fcyfHKe/myigrT7lZnYzl
        ycsdCQYDy7JDaSisPulIJtGnmuxyNUEkTC9h9zdc2eNMhZvMIv31m11lG1QUMLfa23sGFjTPMOowujWtSyhZ4PKaruwC06RJog8X
        SlQJN+qQkcN8//Fs6ab5v7j2OWyXbOWwYeFXFwjvrwEhy43VWJVKPO+eKmY94JQAJQYf0QzJNhg/N/Cqe8blnH3I+2VGCISe9fvR
        bRqiXxYV3LA8zIwzGa+w1zNhz+73KWDOulMaOF5KD0N7kfMs4wxI0wb0tNQ8qyUXDDvl4ik7aErwvkzq9iPe7Es39ZSeBpwoiIq0
        VqncCXSiHxBTiU7nAPkfFEMlfnPCtaLIMb5y8E6gP6VAVfyd5DiVU2RvKlGP1VTH9dApPyQeio1BgDvOvc9A9eK8yfULrM3SxSIZ
        90ilCYlaRL252ucCXtAIw6hCNLBykviC1l9naeyu56UNRtDzcfgTRBK/YK9vwMWAnLJ9Mi0Oa0m6wYgfVtucwBuPnhfXqMU+pFcX
        MEEwMTANBglghkgBZQMEAgEFAAQgXiVQ3x39Pr/DvPpvceVWua5o+k158Dgf3iDK2KsapycECC8NcVnbrsM9AgIIAA==
        """
    )
    /// With `-nocerts`.
    package static let withoutCertificate = bytes(
        """
        MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwK
        AQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECJZT+ExlDcajAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFl
        AwQBKgQQLuvuct6+bfAsLA1S2L/MBwSBkBVM00vybQatHe9V6/VDw84yDc0FMlJRxJmAeBhe/c1oQ7YCW5tGUOF0sdjkilrixY5P
        Aen9iv4qRlzqkXHALfh8VkFIt2sbdT8U9DTnj9NlTMbsr6GWRvc5eVYdIBh4FqDOfBzAk/Af/XjbabX1t6uRU+fdqW2L8JmUjywG
        WsafH5b+OSkCn+iz5wYzcKacazBBMDEwDQYJYIZIAWUDBAIBBQAEIOXhAuTC61bATo23VIKAhYNJTsXt+x5n6gHTqSFLBQPABAhB
        3IRUs3NxBwICCAA=
        """
    )
    /// With the key of another certificate, by the package `cryptography` of PyPI.
    package static let withOtherKey = bytes(
        """
        MIIDxQIBAzCCA3sGCSqGSIb3DQEHAaCCA2wEggNoMIIDZDCCAjoGCSqGSIb3DQEHBqCCAiswggInAgEAMIICIAYJKoZIhvcNAQcB
        MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBAdNZQrm4AJ9PjPritV8ZBrAgJOIDAMBggqhkiG9w0CCQUAMB0GCWCGSAFl
        AwQBKgQQedduhDeUA2LrED3QaLpJDYCCAbAlIbYNyMaBsy+dCwzq+iCApGJSXlIp1Q+zlq94IlsBgvLxnmvtLNFRc1lH4H1yy9d0
        8nqzImPY91lJkOirf9Ul3oTFKAN+w/ueSUIrRdDlDigUfVqdTSi9gFtlytZ5Ni9F0TGIu2siyvN3Tgsrr0c/r5S0kwGheiVccg+d
        FT5u5gXhQCAkre4Y73gp1WMwNFNYEo0CWTQT8lUIpFD8t4/Uq2MG0D2f+bE9lgMvHBQv5vZVVg22uh4U5XtGhdqWk+UzY6ziajeW
        qR+QSb+xysa0K2qADxbfVKgvT7igynukRBk0XECGEJlPPvK9KpAVjBNdOALIs4i5Gmm5QncT4MXeHhLWAakduYxLmiMLj7n3w9J3
        a0/MCW2LdY9l2xFWhNtMe7wsWS6c2SOldyFKWdz4iicnP+S8a4othn3qAU+rb55HXzjulAUqKMF9V2kc1I4itiNIPwnmUvdnTwXc
        1kw6d+7jxvBGb4KS9JxqHpGSaiGQaO6hWDHHGj05NjwZJirO/4PBcX41C88lPOy1TlqAR0ZV4shFvWRsOuIisbRypnxtfP8i7M6w
        N/ffPD9PbuAwggEiBgkqhkiG9w0BBwGgggETBIIBDzCCAQswggEHBgsqhkiG9w0BDAoBAqCB9zCB9DBfBgkqhkiG9w0BBQ0wUjAx
        BgkqhkiG9w0BBQwwJAQQgFmDoJLFdSyXy+9HCe+dpwICTiAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEMXwGT0w2sapRuZ0
        srTystwEgZBXibWZ4qpJ8kiXdcJf5F71y9hMsHsK3RVGJf9XLqgX7XMHvcf1FEzqq/kHXcVXQEyyDQ+DY48hPt7BWdIcJzgNGAIl
        6An9bDnMTBC8Q7id5KvAhbJNl4sJ9NZI1HYQHIMTq/1gWepHkbLsUS5StlHFTxtvvLAVQpURKqsGK9jYeHC1UeOFlOqV4+QcUbre
        ioAwQTAxMA0GCWCGSAFlAwQCAQUABCBbGq1E4Ajp5cS818AkOkGTeaSCogVE7JkYetsJ7hvzeQQIVfA9kBcg9v4CAggA
        """
    )

    private static func bytes(_ text: String) -> [UInt8] {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
    }
}
