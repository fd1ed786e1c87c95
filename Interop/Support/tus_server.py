# SPDX-License-Identifier: Apache-2.0
"""A tus server over a third-party implementation, with its uploads in a folder.

Usage: tus_server.py PORT FOLDER tuspyserver|tussi

Its uploads are created at /files/. tuspyserver has creation, creation-with-upload, creation-defer-length, expiration and
termination; tussi has creation only. Neither verifies checksums.
"""

import pathlib
import sys

import fastapi
import uvicorn

port, folder, name = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
folder.mkdir(parents=True, exist_ok=True)
app = fastapi.FastAPI()

if name == "tuspyserver":
    import tuspyserver

    app.include_router(tuspyserver.create_tus_router(prefix="files", files_dir=str(folder)))
else:
    import tussi
    import tussi.storage

    completed = folder / "completed"
    completed.mkdir(exist_ok=True)
    server = tussi.TUSApp(storage=tussi.storage.FilesystemStorage(directory=folder), completed_dir=completed)

    @app.api_route("/files/{path:path}", methods=["HEAD", "PATCH", "POST", "OPTIONS"])
    async def uploads(request: fastapi.Request):
        return await server.get_response(request.scope, request.receive)


uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
