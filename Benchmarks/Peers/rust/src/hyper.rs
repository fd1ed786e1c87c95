// SPDX-License-Identifier: Apache-2.0
//! hyper as a client under measurement; compare_http.py calls it.

mod meter;

use hyper::body::HttpBody;
use hyper::client::HttpConnector;
use hyper::{Body, Client, Request};
use meter::{Failure, Peer, Workload};

impl Peer for Client<HttpConnector> {
    async fn one(&self, work: &Workload) -> Result<usize, Failure> {
        let mut request = Request::get(&work.url);
        if work.kind == "fresh" {
            request = request.header("connection", "close");
        }
        let mut response = self.request(request.body(Body::empty())?).await?;
        if !response.status().is_success() {
            return Err(response.status().to_string().into());
        }
        if work.kind == "discard" {
            let mut size = 0;
            while let Some(piece) = response.body_mut().data().await {
                size += piece?.len();
            }
            return Ok(size);
        }
        Ok(hyper::body::to_bytes(response.into_body()).await?.len())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let work = Workload::read()?;
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = Client::builder().pool_max_idle_per_host(work.connections()).build(connector);
    meter::measure(client, work, option_env!("HYPER_VERSION").unwrap_or("")).await
}
