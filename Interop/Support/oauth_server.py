# SPDX-License-Identifier: Apache-2.0
"""An OAuth 2 server by authlib, and a service that takes its tokens: all in memory, for the Interop tests.

Usage: oauth_server.py PORT

Clients: `atlas` with the secret `s3cret`, and `cli` without one. The user `ada` has the password `lovelace`. Whoever
comes to /authorize is signed in at once; atlas may exchange anybody's access token for one of its own (RFC 8693); /decide?user_code=CODE&allow=yes answers for a person with a device code, and
/expire ends all access tokens.
"""

import os
import sys
import time

# Without TLS, which is refused otherwise.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6749.errors import InvalidGrantError, InvalidRequestError, UnauthorizedClientError
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, jsonify, request

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


class Client(ClientMixin):
    def __init__(self, name, secret):
        self.client_id, self.secret = name, secret

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, uri):
        # Any port of this machine (RFC 8252 section 7.3).
        return uri.startswith("http://127.0.0.1:")

    def check_client_secret(self, secret):
        return self.secret == secret

    def check_endpoint_auth_method(self, method, endpoint):
        return (method == "none") == (self.secret is None)

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type not in ("client_credentials", EXCHANGE) or self.secret is not None


class Token(TokenMixin):
    def __init__(self, token, client, user):
        self.values, self.client, self.user, self.revoked = dict(token), client, user, False
        self.refresh_used, self.audience, self.actor = False, None, None
        self.ends = time.time() + token["expires_in"]

    def check_client(self, client):
        return self.client is client

    def get_scope(self):
        return self.values.get("scope", "")

    def get_expires_in(self):
        return self.values["expires_in"]

    def is_expired(self):
        return time.time() > self.ends

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


class Code(dict):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    @property
    def code_challenge(self):
        return self["challenge"]

    @property
    def code_challenge_method(self):
        return self["method"]


clients = {"atlas": Client("atlas", "s3cret"), "cli": Client("cli", None)}
tokens, codes, devices, decisions = [], {}, {}, {}


def find(kind, text):
    return next((t for t in tokens if t.values.get(kind) == text), None)


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def authenticate_user(self, username, password):
        return username if (username, password) == ("ada", "lovelace") else None


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Code(
            client=request.client,
            user=request.user,
            redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope,
            challenge=data.get("code_challenge"),
            method=data.get("code_challenge_method"),
            code=code,
        )

    def query_authorization_code(self, code, client):
        known = codes.get(code)
        return known if known and known["client"] is client else None

    def delete_authorization_code(self, code):
        codes.pop(code["code"], None)

    def authenticate_user(self, code):
        return code["user"]


class RefreshGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def authenticate_refresh_token(self, text):
        known = find("refresh_token", text)
        if known and known.refresh_used:
            # Somebody has a stolen copy: all that this user has ends.
            for token in tokens:
                if token.user == known.user:
                    token.revoked = token.refresh_used = True
            raise InvalidGrantError("the refresh token was used already")
        return known

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        token.refresh_used = token.revoked = True


class ExchangeGrant(grants.BaseGrant, grants.TokenEndpointMixin):
    """Token exchange, which authlib has no class for, by what it has: its clients, its errors and its tokens."""

    GRANT_TYPE = EXCHANGE
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

    def validate_token_request(self):
        client = self.authenticate_token_endpoint_client()
        if not client.check_grant_type(self.GRANT_TYPE):
            raise UnauthorizedClientError()
        form = self.request.form
        # RFC 8693 section 2.1: both are required, and this server gives out access tokens only.
        if form.get("subject_token_type") != ACCESS_TOKEN:
            raise InvalidRequestError("the subject token's type is not known")
        if form.get("requested_token_type", ACCESS_TOKEN) != ACCESS_TOKEN:
            raise InvalidRequestError("only access tokens are given out")
        self.subject = self.good("subject_token")
        self.actor = None
        if "actor_token" in form:
            if form.get("actor_token_type") != ACCESS_TOKEN:
                raise InvalidRequestError("the actor token's type is not known")
            self.actor = self.good("actor_token")
        self.request.client = client
        self.validate_requested_scope()

    def good(self, name):
        known = find("access_token", self.request.form.get(name))
        if not known or known.is_expired() or known.is_revoked():
            raise InvalidRequestError(f"the {name} is not good")
        return known

    def create_token_response(self):
        self.request.user = self.subject.user
        token = self.generate_token(
            user=self.subject.user, scope=self.request.payload.scope, include_refresh_token=False
        )
        self.save_token(token)
        # What is kept besides the answer, for /who.
        tokens[-1].audience = self.request.form.get("audience")
        tokens[-1].actor = self.actor and self.actor.client.client_id
        return 200, dict(token, issued_token_type=ACCESS_TOKEN), self.TOKEN_RESPONSE_HEADER


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self):
        return request.host_url + "device"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=time.time() + data["expires_in"], **{
                key: data[key] for key in ("device_code", "user_code")
            }
        )


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        return decisions.get(user_code)

    def should_slow_down(self, credential):
        return False


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def query_token(self, text, hint):
        return find("refresh_token", text) or find("access_token", text)

    def revoke_token(self, token, request):
        token.revoked = token.refresh_used = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, text):
        return find("access_token", text)


app = Flask("oauth")
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, clients.get, lambda token, asked: tokens.append(Token(token, asked.client, asked.user)))
for grant in (PasswordGrant, RefreshGrant, DeviceGrant, ExchangeGrant, grants.ClientCredentialsGrant):
    server.register_grant(grant)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_endpoint(Revocation)
server.register_endpoint(DeviceEndpoint)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.route("/.well-known/oauth-authorization-server")
def metadata():
    root = request.host_url.rstrip("/")
    described = {
        "issuer": root,
        "authorization_endpoint": root + "/authorize",
        "token_endpoint": root + "/token",
        "device_authorization_endpoint": root + "/device_authorization",
        "revocation_endpoint": root + "/revoke",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials", "password", DEVICE, EXCHANGE],
        "code_challenge_methods_supported": ["S256"],
    }
    # authlib's own check of what RFC 8414 wants, but for https.
    checked = AuthorizationServerMetadata(described)
    checked.validate_response_types_supported()
    checked.validate_grant_types_supported()
    checked.validate_code_challenge_methods_supported()
    return jsonify(described)


@app.route("/authorize")
def authorize():
    return server.create_authorization_response(grant_user="ada")


@app.route("/token", methods=["POST"])
def token():
    return server.create_token_response()


@app.route("/device_authorization", methods=["POST"])
def device_authorization():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.route("/revoke", methods=["POST"])
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.route("/decide")
def decide():
    decisions[request.args["user_code"]] = ("ada", request.args["allow"] == "yes")
    return "decided"


@app.route("/expire", methods=["POST"])
def expire():
    for known in tokens:
        known.ends = 0
    return "expired"


@app.route("/who")
@protected()
def who():
    known = find("access_token", request.headers["Authorization"].split()[-1])
    text = f"{known.user or 'nobody'} by {known.client.client_id}"
    if known.audience:
        text += f" at {known.audience}"
    return f"{text} through {known.actor}" if known.actor else text


if __name__ == "__main__":
    app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
