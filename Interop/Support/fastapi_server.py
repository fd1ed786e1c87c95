# SPDX-License-Identifier: Apache-2.0
"""An application of FastAPI's: orders with a token, on the port that is the first argument."""

import sys
from typing import Optional

import uvicorn
from fastapi import Depends, FastAPI, Header, Query
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


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
