//! Fetching from a server on the loopback interface that answers by script.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;

use crate::address::Address;
use crate::catalogue::Set;
use crate::download::{Outcome, fetch, sha256};
use crate::origin::Origin;

/// Latin-1 with carriage returns, so that the normalised file differs from the original.
fn original() -> Vec<u8> {
    let mut bytes = b"% caf\xe9\r\n".to_vec();
    for row in 0..5000 {
        bytes.extend_from_slice(format!("{row},yes\r\n").as_bytes());
    }
    bytes
}

fn expected() -> String {
    original().iter().map(|&byte| char::from(byte)).filter(|&letter| letter != '\r').collect()
}

fn set() -> Set {
    Set {
        name: "toy".into(),
        group: "made".into(),
        path: "some/toy.arff".into(),
        bytes: original().len() as u64,
        original: sha256(&original()),
        normalised: sha256(expected().as_bytes()),
    }
}

/// An answer with an honest length.
fn answer(status: &str, body: &[u8]) -> Vec<u8> {
    cut_answer(status, body, body.len())
}

/// An answer whose connection ends after `sent` bytes of the body.
fn cut_answer(status: &str, body: &[u8], sent: usize) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), &body[..sent]].concat()
}

fn rest(start: usize) -> Vec<u8> {
    let bytes = original();
    let status =
        format!("206 Partial Content\r\nContent-Range: bytes {start}-{}/{}", bytes.len() - 1, bytes.len());
    answer(&status, &bytes[start..])
}

/// Serves each answer to one connection, in order, and then returns the heads of the requests.
fn serve(answers: Vec<Vec<u8>>) -> (Origin, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut address = Address::new(&format!("http://{}/base/", listener.local_addr().unwrap()));
    address.pauses = vec![Duration::ZERO; 2];
    let server = std::thread::spawn(move || {
        let requests = answers.into_iter().map(|answer| {
            let (mut stream, _) = listener.accept().unwrap();
            let lines = BufReader::new(&stream).lines().map(Result::unwrap);
            let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
            // A client that has seen enough hangs up.
            let _ = stream.write_all(&answer);
            head.join("\n").to_lowercase()
        });
        requests.collect()
    });
    (Origin::Address(address), server)
}

/// Fetches with the answers given; returns the result, the requests and the names of the files left.
fn run(cache: &TempDir, answers: Vec<Vec<u8>>) -> (anyhow::Result<Outcome>, Vec<String>, Vec<String>) {
    let (origin, server) = serve(answers);
    let result = fetch(&set(), &origin, cache.path(), &mut |_| {});
    let files = fs::read_dir(cache.path().join("made")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    (result, server.join().unwrap(), files)
}

fn assert_complete(cache: &TempDir, files: &[String]) {
    assert_eq!(files, ["toy.arff"]);
    assert_eq!(fs::read_to_string(cache.path().join("made/toy.arff")).unwrap(), expected());
}

fn leave_part(cache: &TempDir, bytes: &[u8]) {
    fs::create_dir(cache.path().join("made")).unwrap();
    fs::write(cache.path().join("made/toy.arff.part"), bytes).unwrap();
}

#[test]
fn a_whole_file_is_fetched_normalised_and_then_kept() {
    let cache = tempfile::tempdir().unwrap();
    let (result, requests, files) = run(&cache, vec![answer("200 OK", &original())]);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert!(requests[0].starts_with("get /base/some/toy.arff "), "{requests:?}");
    assert!(!requests[0].contains("range:"));
    assert_complete(&cache, &files);

    let (result, _, files) = run(&cache, vec![]);
    assert_eq!(result.unwrap(), Outcome::Present);
    assert_complete(&cache, &files);
}

#[test]
fn a_damaged_file_is_fetched_again() {
    let cache = tempfile::tempdir().unwrap();
    leave_part(&cache, b"");
    fs::write(cache.path().join("made/toy.arff"), "damaged").unwrap();
    let (result, _, files) = run(&cache, vec![answer("200 OK", &original())]);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert_complete(&cache, &files);
}

#[test]
fn a_cut_connection_is_resumed_where_it_broke_off() {
    let cache = tempfile::tempdir().unwrap();
    let answers = vec![cut_answer("200 OK", &original(), 20_000), rest(20_000)];
    let (result, requests, files) = run(&cache, answers);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert!(requests[1].contains("range: bytes=20000-"), "{requests:?}");
    assert_complete(&cache, &files);
}

#[test]
fn a_later_run_resumes_what_an_earlier_one_left() {
    let cache = tempfile::tempdir().unwrap();
    let cut = || answer("503 Service Unavailable", b"");
    let answers = vec![cut_answer("200 OK", &original(), 1_234), cut(), cut()];
    let (result, _, files) = run(&cache, answers);
    let error = format!("{:#}", result.unwrap_err());
    assert!(error.contains("503") && error.contains("--mirror"), "{error}");
    assert_eq!(files, ["toy.arff.part"]);

    let (result, requests, files) = run(&cache, vec![rest(1_234)]);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert!(requests[0].contains("range: bytes=1234-"), "{requests:?}");
    assert_complete(&cache, &files);
}

#[test]
fn a_server_that_ignores_the_range_sends_the_whole() {
    let cache = tempfile::tempdir().unwrap();
    leave_part(&cache, &original()[..300]);
    let (result, requests, files) = run(&cache, vec![answer("200 OK", &original())]);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert!(requests[0].contains("range: bytes=300-"), "{requests:?}");
    assert_complete(&cache, &files);
}

#[test]
fn a_range_that_does_not_continue_the_part_is_not_appended() {
    for refusal in [rest(200), answer("416 Range Not Satisfiable", b"")] {
        let cache = tempfile::tempdir().unwrap();
        leave_part(&cache, &original()[..300]);
        let (result, requests, files) = run(&cache, vec![refusal, answer("200 OK", &original())]);
        assert_eq!(result.unwrap(), Outcome::Fetched);
        assert!(!requests[1].contains("range:"), "{requests:?}");
        assert_complete(&cache, &files);
    }
}

#[test]
fn a_part_of_other_bytes_is_thrown_away_and_fetched_anew() {
    let cache = tempfile::tempdir().unwrap();
    leave_part(&cache, &[b'x'; 300]);
    let (result, _, files) = run(&cache, vec![rest(300), answer("200 OK", &original())]);
    assert_eq!(result.unwrap(), Outcome::Fetched);
    assert_complete(&cache, &files);
}

#[test]
fn wrong_bytes_are_refused_and_nothing_is_left() {
    let mut flipped = original();
    flipped[100] ^= 1;
    let longer = [original(), original()].concat();
    for wrong in [flipped, longer, b"<html>Please log in</html>".to_vec()] {
        let cache = tempfile::tempdir().unwrap();
        let (result, _, files) = run(&cache, vec![answer("200 OK", &wrong)]);
        let error = result.unwrap_err().to_string();
        assert!(error.contains("SHA-256"), "{error}");
        assert!(files.is_empty(), "{files:?}");
    }
}

#[test]
fn a_missing_file_is_not_asked_for_again() {
    let cache = tempfile::tempdir().unwrap();
    let (result, requests, files) = run(&cache, vec![answer("404 Not Found", b"no such file")]);
    let error = format!("{:#}", result.unwrap_err());
    assert!(error.contains("404 Not Found") && error.contains("--mirror"), "{error}");
    assert_eq!(requests.len(), 1);
    assert!(files.is_empty(), "{files:?}");
}

#[test]
fn an_address_without_a_server_is_named_with_the_way_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let mut address = Address::new(&base);
    address.pauses = vec![Duration::ZERO];
    let cache = tempfile::tempdir().unwrap();
    let mut notes = 0;
    let result = fetch(&set(), &Origin::Address(address), cache.path(), &mut |_| {
        notes += 1;
    });
    let error = format!("{:#}", result.unwrap_err());
    assert!(error.contains(&base) && error.contains("--mirror"), "{error}");
    assert_eq!(notes, 1);
}

#[test]
fn a_mirror_folder_is_read_and_checked() {
    let (mirror, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let origin = Origin::new(mirror.path().to_str().unwrap());
    let run = || fetch(&set(), &origin, cache.path(), &mut |_| {});
    assert!(run().unwrap_err().to_string().contains("the mirror lacks"));

    fs::create_dir(mirror.path().join("some")).unwrap();
    let file = mirror.path().join("some/toy.arff");
    fs::write(&file, "other bytes").unwrap();
    assert!(run().unwrap_err().to_string().contains("SHA-256"));

    fs::write(&file, original()).unwrap();
    assert_eq!(run().unwrap(), Outcome::Fetched);
    assert_complete(&cache, &["toy.arff".into()]);
}
