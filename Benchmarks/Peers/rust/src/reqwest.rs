// SPDX-License-Identifier: Apache-2.0
//! reqwest as a client under measurement; compare_http.py calls it.

mod meter;

use meter::{Failure, Meter, Workload};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;

async fn one(client: &reqwest::Client, work: &Workload) -> Result<usize, Failure> {
    let mut request = client.get(&work.url);
    if work.kind == "fresh" {
        request = request.header("connection", "close");
    }
    let mut response = request.send().await?.error_for_status()?;
    match work.kind.as_str() {
        "get" | "fresh" => Ok(response.bytes().await?.len()),
        "discard" => {
            let mut size = 0;
            while let Some(piece) = response.chunk().await? {
                size += piece.len();
            }
            Ok(size)
        }
        "save" => {
            let mut file = tokio::fs::File::create(&work.file).await?;
            let mut size = 0;
            while let Some(piece) = response.chunk().await? {
                size += piece.len();
                file.write_all(&piece).await?;
            }
            file.flush().await?;
            Ok(size)
        }
        other => Err(format!("{other} is not among what this client does").into()),
    }
}

async fn run(client: &reqwest::Client, work: &Arc<Workload>, count: usize) -> Result<usize, Failure> {
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
    let mut builder = reqwest::Client::builder().pool_max_idle_per_host(64).http1_only();
    if work.roots != "-" {
        builder = builder.add_root_certificate(reqwest::Certificate::from_pem(&std::fs::read(&work.roots)?)?);
    }
    let client = builder.build()?;
    tokio::task::LocalSet::new()
        .run_until(async {
            run(&client, &work, work.warm_up()).await?;
            let meter = Meter::start();
            let bytes = run(&client, &work, work.count).await?;
            meter.print(option_env!("REQWEST_VERSION").unwrap_or(""), work.count, bytes);
            Ok(())
        })
        .await
}
