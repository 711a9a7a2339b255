//! Fetching over HTTP: resumed where it stopped, retried where waiting may help.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};
use ureq::{Agent, Body, http};

use crate::catalogue::Set;
use crate::download::sha256;

/// How long to wait before each further attempt.
const PAUSES: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// A base address.
pub(crate) struct Address {
    base: String,
    agent: Agent,
    pub(crate) pauses: Vec<Duration>,
}

/// Why an attempt failed: whether another one may succeed.
enum Failure {
    Passing(anyhow::Error),
    Lasting(anyhow::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Lasting(error.into())
    }
}

impl Address {
    pub(crate) fn new(base: &str) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_recv_response(Some(Duration::from_secs(30)))
            .timeout_recv_body(Some(Duration::from_secs(120)))
            .user_agent(concat!("bnc-xtask/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Self { base: base.trim_end_matches('/').to_owned(), agent, pauses: PAUSES.to_vec() }
    }

    /// The bytes of the set, with the right checksum. On failure `part` holds what an interrupted transfer brought, or nothing.
    pub(crate) fn bytes(&self, set: &Set, part: &Path, say: &mut dyn FnMut(&str)) -> Result<Vec<u8>> {
        let url = format!("{}/{}", self.base, set.path);
        let mut pauses = self.pauses.iter();
        loop {
            let error = match self.attempt(&url, set, part) {
                Ok(bytes) => return Ok(bytes),
                Err(Failure::Lasting(error)) => return Err(give_up(&url, &error)),
                Err(Failure::Passing(error)) => error,
            };
            let Some(&pause) = pauses.next() else {
                return Err(give_up(&url, &error));
            };
            say(&format!("{error:#}; again in {} s", pause.as_secs()));
            std::thread::sleep(pause);
        }
    }

    fn attempt(&self, url: &str, set: &Set, part: &Path) -> Result<Vec<u8>, Failure> {
        let have = match fs::metadata(part) {
            Ok(known) if known.len() <= set.bytes => known.len(),
            _ => 0,
        };
        if have < set.bytes {
            self.transfer(url, set, part, have)?;
        }
        let bytes = fs::read(part)?;
        if sha256(&bytes) == set.original {
            return Ok(bytes);
        }
        fs::remove_file(part)?;
        let error = anyhow!("what is there is not the file expected: its SHA-256 is not {}", set.original);
        // The first part may be of another origin or damaged: then the whole is worth a try.
        Err(if have > 0 { Failure::Passing(error) } else { Failure::Lasting(error) })
    }

    /// Brings what is missing after the first `have` bytes.
    fn transfer(&self, url: &str, set: &Set, part: &Path, have: u64) -> Result<(), Failure> {
        // A compressed answer could not be resumed.
        let mut request = self.agent.get(url).header("Accept-Encoding", "identity");
        if have > 0 {
            request = request.header("Range", format!("bytes={have}-"));
        }
        let answer = request.call().map_err(unreachable)?;
        let (mut file, start) = match answer.status().as_u16() {
            206 if continues(&answer, have) => (OpenOptions::new().append(true).open(part)?, have),
            // A server may ignore the range and send the whole.
            200 => (File::create(part)?, 0),
            206 | 416 => {
                fs::remove_file(part)?;
                return Err(Failure::Passing(anyhow!("{url} cannot be resumed; from its start")));
            }
            status => return Err(refused(status)),
        };
        // One byte too many is enough to know that the file is another one.
        let mut body = answer.into_body().into_reader().take(set.bytes - start + 1);
        let (length, cut) = copy(&mut body, &mut file)?;
        let length = start + length;
        match cut {
            Some(error) => Err(Failure::Passing(
                anyhow::Error::from(error)
                    .context(format!("the connection broke off after {length} of {} bytes", set.bytes)),
            )),
            // The answer was complete: a wrong length is seen by the checksum.
            None => Ok(()),
        }
    }
}

/// Copies until the end or until reading fails; what was read before is written. An error of writing is final.
fn copy(from: &mut impl Read, to: &mut File) -> io::Result<(u64, Option<io::Error>)> {
    let mut buffer = vec![0; 64 * 1024];
    let mut length = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok((length, None)),
            Ok(read) => {
                to.write_all(&buffer[..read])?;
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok((length, Some(error))),
        }
    }
}

/// Whether the answer starts exactly where the part ends.
fn continues(answer: &http::Response<Body>, have: u64) -> bool {
    let range = answer.headers().get("Content-Range").and_then(|value| value.to_str().ok());
    range.is_some_and(|range| range.starts_with(&format!("bytes {have}-")))
}

fn unreachable(error: ureq::Error) -> Failure {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
            Failure::Lasting(anyhow::Error::from(error).context("this is not an address"))
        }
        error => Failure::Passing(anyhow::Error::from(error).context("the server cannot be reached")),
    }
}

fn refused(status: u16) -> Failure {
    let reason =
        http::StatusCode::from_u16(status).ok().and_then(|code| code.canonical_reason()).unwrap_or_default();
    let error = anyhow!("the server answers {status} {reason}");
    match status {
        408 | 425 | 429 | 500.. => Failure::Passing(error),
        _ => Failure::Lasting(error),
    }
}

fn give_up(url: &str, error: &anyhow::Error) -> anyhow::Error {
    anyhow!(
        "{url}: {error:#}\nIf you have the original files elsewhere, name that place with --mirror DIR|URL."
    )
}
