//! The bot of `bot.rs` over HTTP: `cargo run --example bot-http --features reqwest`.
//!
//! The service is a sandbox behind an HTTP server in this process. A live service has another URL, and needs a key.

#[allow(dead_code)]
#[path = "bot.rs"]
mod bot;

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use launchpad_desk_client::{Client, ReqwestTransport};
use launchpad_desk_sandbox::{HttpRequest, ReplyCut, Sandbox};

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let sandbox = Arc::new(Mutex::new(bot::sandbox()));
    let (mint, wallet) = {
        let sandbox = sandbox.lock().expect("nobody panics");
        (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone())
    };
    let url = serve(sandbox.clone())?;
    let client = Client::builder(ReqwestTransport::new(&url)?).api_key("any-key-will-do").build()?;
    let holdings = || bot::holdings(&sandbox.lock().expect("nobody panics"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(bot::trade(&client, &mint, &wallet, holdings))
}

/// Serves a sandbox on a free port of this machine; returns its URL.
pub fn serve(sandbox: Arc<Mutex<Sandbox>>) -> Result<String, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let sandbox = sandbox.clone();
            // A connection that breaks is the client's to handle.
            thread::spawn(move || answer_all(connection, &sandbox));
        }
    });
    Ok(url)
}

/// Answers the requests of one connection, one after another.
fn answer_all(connection: TcpStream, sandbox: &Mutex<Sandbox>) -> Option<()> {
    let mut incoming = BufReader::new(connection.try_clone().ok()?);
    let mut outgoing = connection;
    loop {
        let mut line = String::new();
        incoming.read_line(&mut line).ok().filter(|length| *length > 0)?;
        let (method, path) =
            line.split_once(' ').and_then(|(method, rest)| Some((method, rest.split_once(' ')?.0)))?;
        let mut headers = Vec::new();
        loop {
            let mut header = String::new();
            incoming.read_line(&mut header).ok()?;
            let Some((name, value)) = header.trim_end().split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length =
            headers.iter().find(|(name, _)| name == "content-length").map_or("0", |(_, value)| value);
        let mut body = vec![0; length.parse().ok()?];
        incoming.read_exact(&mut body).ok()?;
        let request = HttpRequest { method, path, headers: &headers, body: &body, now_ms: 0 };
        let answer = sandbox.lock().ok()?.handle(&request);
        if answer.delivery.cut != ReplyCut::None {
            return None;
        }
        let mut reply =
            format!("HTTP/1.1 {} -\r\ncontent-length: {}\r\n", answer.reply.status, answer.reply.body.len());
        for (name, value) in &answer.reply.headers {
            reply.push_str(&format!("{name}: {value}\r\n"));
        }
        outgoing.write_all(&[reply.as_bytes(), b"\r\n", &answer.reply.body].concat()).ok()?;
    }
}
