# SPDX-License-Identifier: Apache-2.0
"""An application of FastAPI's: orders with a token, on the port that is the first argument."""

import sys
from typing import Optional

import uvicorn
from fastapi import Cookie, Depends, FastAPI, File, Form, Header, Query, UploadFile
from fastapi.security import HTTPBearer
from pydantic import BaseModel


class Order(BaseModel):
    article: str
    count: int = 1
    tags: list[str] = []


app = FastAPI(title="Orders")
token = HTTPBearer()


@app.post("/orders/{shop_id}", operation_id="add_order")
def add(shop_id: int, order: Order, gift: bool = False, bearer=Depends(token)):
    return {"shop": shop_id, "order": order, "gift": gift, "token": bearer.credentials}


@app.get("/orders", operation_id="list_orders")
def list_orders(tag: list[str] = Query(default=[]), limit: Optional[int] = None, x_trace: str = Header(default="")):
    return {"tag": tag, "limit": limit, "trace": x_trace}


@app.post("/labels", operation_id="label")
def label(name: str = Form(), sizes: list[int] = Form(default=[]), kinds: list[str] = Form(default=[])):
    return {"name": name, "sizes": sizes, "kinds": kinds}


@app.post("/photos", operation_id="add_photos")
async def add_photos(
    photos: list[UploadFile] = File(), tags: list[str] = Form(default=[]), note: Optional[str] = Form(default=None)
):
    names = [[photo.filename, len(await photo.read())] for photo in photos]
    return {"photos": names, "tags": tags, "note": note}


@app.get("/visits", operation_id="visits")
def visits(
    shop: list[str] = Query(default=[], alias="shop-id"),
    page: list[int] = Query(default=[], alias="page[]"),
    visitor: Optional[str] = Cookie(default=None),
):
    return {"shop": shop, "page": page, "visitor": visitor}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
