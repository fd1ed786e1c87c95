// SPDX-License-Identifier: Apache-2.0
//! reqwest as a client under measurement; compare_http.py calls it.

mod meter;

use meter::{Failure, Peer, Workload};
use tokio::io::AsyncWriteExt;

impl Peer for reqwest::Client {
    async fn one(&self, work: &Workload) -> Result<usize, Failure> {
        let mut request = self.get(&work.url);
        if work.kind == "fresh" {
            request = request.header("connection", "close");
        }
        let mut response = request.send().await?.error_for_status()?;
        match work.kind.as_str() {
            "get" | "latency" | "paced" | "fresh" => Ok(response.bytes().await?.len()),
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
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let work = Workload::read()?;
    let mut builder = reqwest::Client::builder().pool_max_idle_per_host(work.connections()).http1_only();
    if work.roots != "-" {
        builder = builder.add_root_certificate(reqwest::Certificate::from_pem(&std::fs::read(&work.roots)?)?);
    }
    meter::measure(builder.build()?, work, option_env!("REQWEST_VERSION").unwrap_or("")).await
}
