// SPDX-License-Identifier: Apache-2.0

/// A certificate with an encrypted key, made by OpenSSL; the passphrase is `hunter2`.
package enum EncryptedIdentity {
    /// The certificate, which is its own authority, until 2126.
    package static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBcDCCARegAwIBAgIUL8X2/E46lp8n3pMto652kkOsvG4wCgYIKoZIzj0EAwIw
        DTELMAkGA1UEAwwCbWUwIBcNMjYxMTMwMDExMjA3WhgPMjEyNjExMDYwMTEyMDda
        MA0xCzAJBgNVBAMMAm1lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHohNFdAX
        8aw1Ol/uHaggtaCPcSPGEYzUxqhLsEc7ps7Gp7WhAJQR/jt8K57kOxseuFosKszr
        /stqT23imKsMEKNTMFEwHQYDVR0OBBYEFJAfQBniG0J3EM4kGnDi27ObeplnMB8G
        A1UdIwQYMBaAFJAfQBniG0J3EM4kGnDi27ObeplnMA8GA1UdEwEB/wQFMAMBAf8w
        CgYIKoZIzj0EAwIDRwAwRAIgNZvR8c4ppyRsyCqMOpOk9D7o+CCWFxBNDFTYpGYa
        aM4CIB58DVQBYCr8P5EOt78YMOpj9il5ooZxLIMHq0VKN4UY
        -----END CERTIFICATE-----
        """
    /// The key as PKCS #8.
    package static let pkcs8 = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhH9wAnlB5WxQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECBm5SR6BHxS9AHr2T0af3gEgZCf
        a9quQ2ivOG35d4PWDnsb5s6a4IPp8VDiTM9x3aaiplhF1ludDNtj9kP/MBIB/RxK
        2U9qE8pg0AR0pZCB1iPq1/1rBEvlXVfPvvQjDFzU087g1JQkBNcmoIv6j1/88c7w
        HxRyYw8t/xSIPDAx1gqkh8mHgC6a6R7hLaQuy5PDHAUKyA3oPlb2xdk0PRxrPNk=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    /// The key in the older form, with its cipher in header lines.
    package static let traditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,E09AD89CDA9BB6742EC57A6A1E6BEB56

        7bBCK7Cw8wbm6RpmyLRCaKzKvw4vv7vXPCIxzfcXa/DLrSCPJomXfVVY6VVAG9wG
        cwp/vYbffAVj5zMhotw3Xr9EcxBYjoD5ZLaopQU7mlzzj+NTepTmKp1RbiQ8A01U
        zsLuABeX4sRyg4FrP4aD5QDmShCo/znIj2M7lL19/nQ=
        -----END EC PRIVATE KEY-----
        """
}
