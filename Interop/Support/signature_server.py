# SPDX-License-Identifier: Apache-2.0
"""A small server that verifies HTTP Message Signatures with http-message-signatures (RFC 9421).

Usage: signature_server.py PORT    answers any request: what the signature covers as JSON, or 401 with the reason

The path's first segment names the algorithm; the keys are the ones of RFC 9421's appendix B.
"""

import base64
import http.server
import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

SECRET = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
ED25519 = b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----
"""
P256 = b"""-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END PUBLIC KEY-----
"""
KEYS = {
    "test-shared-secret": base64.b64decode(SECRET),
    "test-key-ed25519": load_pem_public_key(ED25519),
    "test-key-ecc-p256": load_pem_public_key(P256),
}
ALGORITHMS = {
    "hmac": algorithms.HMAC_SHA256, "ed25519": algorithms.ED25519, "p256": algorithms.ECDSA_P256_SHA256,
}


class Keys(HTTPSignatureKeyResolver):
    def resolve_public_key(self, key_id):
        return KEYS[key_id]

    def resolve_private_key(self, key_id):
        return KEYS[key_id]


class Message:
    def __init__(self, method, url, headers):
        self.method, self.url, self.headers = method, url, headers


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            algorithm = ALGORITHMS[self.path.split("?")[0].split("/")[1]]
            url = f"http://{self.headers['Host']}{self.path}"
            verifier = HTTPMessageVerifier(signature_algorithm=algorithm, key_resolver=Keys())
            headers = {}
            for name, value in self.headers.items():
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
            [result] = verifier.verify(Message(self.command, url, headers), body=body)
            status, answer = 200, {"covered": list(result.covered_components), "parameters": dict(result.parameters)}
        except Exception as error:
            status, answer = 401, {"error": repr(error)}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
