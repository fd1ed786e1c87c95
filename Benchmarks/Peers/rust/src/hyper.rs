// SPDX-License-Identifier: Apache-2.0
//! hyper as a client under measurement; compare_http.py calls it.

mod meter;

use hyper::body::HttpBody;
use hyper::client::HttpConnector;
use hyper::{Body, Client, Request};
use meter::{Failure, Meter, Workload};
use std::sync::Arc;

async fn one(client: &Client<HttpConnector>, work: &Workload) -> Result<usize, Failure> {
    let mut request = Request::get(&work.url);
    if work.kind == "fresh" {
        request = request.header("connection", "close");
    }
    let mut response = client.request(request.body(Body::empty())?).await?;
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

async fn run(client: &Client<HttpConnector>, work: &Arc<Workload>, count: usize) -> Result<usize, Failure> {
    let mut tasks = Vec::new();
    for index in 0..work.in_flight {
        let (client, work, share) = (client.clone(), work.clone(), (count + index) / work.in_flight);
        tasks.push(tokio::task::spawn_local(async move {
            let mut bytes = 0;
            for _ in 0..share {
                bytes += one(&client, &work).await?;
            }
            Ok::<usize, Failure>(bytes)
        }));
    }
    let mut bytes = 0;
    for task in tasks {
        bytes += task.await??;
    }
    Ok(bytes)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let work = Arc::new(Workload::read()?);
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = Client::builder().pool_max_idle_per_host(64).build(connector);
    tokio::task::LocalSet::new()
        .run_until(async {
            run(&client, &work, work.warm_up()).await?;
            let meter = Meter::start();
            let bytes = run(&client, &work, work.count).await?;
            meter.print(option_env!("HYPER_VERSION").unwrap_or(""), work.count, bytes);
            Ok(())
        })
        .await
}
