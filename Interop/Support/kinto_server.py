# SPDX-License-Identifier: Apache-2.0
"""Kinto in memory, with accounts that anybody may make, on the port that is the first argument."""

import sys

import kinto
from waitress import serve

port = sys.argv[1]
settings = {f"kinto.{part}_backend": f"kinto.core.{part}.memory" for part in ("storage", "permission", "cache")}
settings |= {
    "kinto.userid_hmac_secret": "interop",
    "kinto.includes": "kinto.plugins.accounts",
    "multiauth.policies": "account",
    "multiauth.policy.account.use": "kinto.plugins.accounts.authentication.AccountsAuthenticationPolicy",
    "kinto.account_create_principals": "system.Everyone",
    "kinto.bucket_create_principals": "system.Authenticated",
    "kinto.paginate_by": "100",
    "kinto.http_host": f"127.0.0.1:{port}",
}
serve(kinto.main({}, **settings), host="127.0.0.1", port=int(port))
