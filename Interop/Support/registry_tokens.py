# SPDX-License-Identifier: Apache-2.0
"""A small token service for a registry of container images (the distribution specification's token authentication).

Usage: registry_tokens.py PORT FOLDER    writes FOLDER/tokens.pem, the certificate that the registry is to trust

ada (password lovelace) may do anything; who says no name may pull below open/. The log has a line for each question.
"""

import base64
import datetime
import http.server
import json
import pathlib
import sys
import time
import uuid
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509.oid import NameOID

key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tokens")])
now = datetime.datetime.now(datetime.timezone.utc)
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(1)
    .not_valid_before(now - datetime.timedelta(hours=1))
    .not_valid_after(now + datetime.timedelta(days=1))
    .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    .sign(key, hashes.SHA256())
)
# Whole or not at all: the registry is started as soon as it is there.
written = pathlib.Path(sys.argv[2], "tokens.new")
written.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
written.rename(written.with_suffix(".pem"))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(subject, service, access):
    chain = [base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()]
    head = {"typ": "JWT", "alg": "ES256", "x5c": chain}
    claims = {
        "iss": "interop", "sub": subject, "aud": service, "jti": uuid.uuid4().hex, "access": access,
        "iat": int(time.time()), "nbf": int(time.time()) - 10, "exp": int(time.time()) + 300,
    }
    text = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
    r, s = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{text}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        proof = self.headers.get("Authorization", "")
        subject = ""
        if proof:
            subject = "ada" if proof == "Basic " + base64.b64encode(b"ada:lovelace").decode() else None
        access = []
        for scope in query.get("scope", []):
            kind, repository, actions = scope.split(":")
            allowed = actions.split(",")
            if subject == "":
                allowed = [action for action in allowed if action == "pull" and repository.startswith("open/")]
            access.append({"type": kind, "name": repository, "actions": allowed})
        print(f"{subject or 'nobody'} {query.get('scope', [])}", flush=True)
        if subject is None:
            status, answer = 401, {"errors": [{"code": "UNAUTHORIZED"}]}
        else:
            service = query.get("service", [""])[0]
            status, answer = 200, {"token": token(subject, service, access), "expires_in": 300}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
