//! The pages of `bnc evaluate --html`: what is in them, and what a browser makes of them.
//!
//! The browser is a Chromium on the path, or what `BNC_BROWSER` names, which must work then. Without one its tests say that they are
//! skipped.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Folder, LEARNERS, numbers};

/// Names that mean something to HTML.
const COLUMN: &str = "<script>alert(1)</script>";
const LABEL: &str = "\"yes\" & <b onload='x'>";
const FILE: &str = "we<i>rd\"&'.csv";

fn rows(first: &str, count: usize) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let row = |index: usize| {
        let class = index % 2;
        let noisy = |every: usize| if index.is_multiple_of(every) { 1 - class } else { class };
        let label = if class == 0 { quoted(LABEL) } else { "no".into() };
        format!("a{},b{},c{},{label}\n", noisy(5), noisy(3), noisy(5) + index % 2)
    };
    format!("{},b,c,class\n{}", quoted(first), (0..count).map(row).collect::<String>())
}

/// A folder with the page of an evaluation of two data sets.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(FILE, rows(COLUMN, 60));
    folder.write("plain.csv", rows("a", 90));
    folder.ok(&format!(
        "evaluate {FILE} plain.csv --learner nb --learner tan --learner aode --folds 5 --html page.html"
    ));
    folder
}

#[test]
fn a_page_has_it_all_and_loads_nothing() {
    let folder = folder();
    let page = folder.read("page.html");
    for part in [
        "<!DOCTYPE html>",
        "<title>nb, tan and aode on 2 data sets</title>",
        "default-src 'none'",
        "id=\"results\"",
        "id=\"ranks\"",
        "id=\"folds\"",
        "id=\"networks\"",
        "id=\"method\"",
        "highest mean accuracy",
        "Friedman’s test",
        "Critical-difference diagram",
        "Box plots: accuracy",
        "The structure that tan learnt from",
        "parent of every feature",
        "The class is a parent of every feature, and no feature is one of another",
        "--learner nb --learner tan --learner aode --folds 5 --html page.html",
        concat!("bnc ", env!("CARGO_PKG_VERSION")),
        "prefers-color-scheme: dark",
        "prefers-reduced-motion",
        "@media print",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["http:", "https:", "src=", "@import", "url(//", " style="] {
        assert!(!page.contains(part), "{part}");
    }
    let content = &page[page.find("<body").unwrap()..page.find("<script>").unwrap()];
    for part in ["NaN", ">inf", "\"inf", " inf ", "-inf"] {
        assert!(!content.contains(part), "{part}");
    }
    // What the summary says is what the document says.
    let document = folder.json(&format!(
        "evaluate {FILE} plain.csv --learner nb --learner tan --learner aode --folds 5 --json"
    ));
    for learner in document["overall"].as_array().unwrap() {
        let mean = learner["mean"]["accuracy"].as_f64().unwrap();
        assert!(page.contains(&format!("{mean:.4}")), "{learner}");
    }
}

#[test]
fn what_users_write_is_escaped() {
    let folder = folder();
    let page = folder.read("page.html");
    assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "the column in the picture of a network");
    assert!(page.contains("we&lt;i&gt;rd&quot;&amp;"), "the file's name");
    assert!(!page.contains("<i>") && !page.contains("<b "), "no element comes from a name");
    assert!(page.contains(r"bnc evaluate 'we&lt;i&gt;rd&quot;&amp;'\''.csv' plain.csv"), "the command");
}

#[test]
fn a_page_of_one_data_set_and_one_of_a_test_file() {
    let folder = folder();
    folder.ok("evaluate plain.csv --learner nb --learner tan --html one.html");
    let page = folder.read("one.html");
    assert!(page.contains("<title>nb and tan on plain.csv</title>"));
    assert!(!page.contains("id=\"ranks\"") && !page.contains("<details"), "nothing to rank or to unfold");
    folder.ok("evaluate plain.csv --test plain.csv --learner nb --html test.html");
    let page = folder.read("test.html");
    assert!(page.contains("<title>nb on plain.csv</title>") && page.contains("tested on plain.csv"));
    assert!(!page.contains("id=\"folds\"") && !page.contains("±"), "a single test has no spread");
}

#[test]
fn what_is_asked_for_has_its_charts() {
    let folder = folder();
    let command =
        "evaluate plain.csv --learner nb --learner tan --folds 3 --repeats 2 --html more.html --json";
    let found = folder.json(&format!("{command} --bias-variance --learning-curve=12,30"));
    let page = folder.read("more.html");
    let chart = |start: &str| page.matches(&format!("aria-label=\"{start}")).count();
    assert_eq!(chart("accuracy, more is better against training rows"), 1);
    assert_eq!(chart("Bars: zero-one loss, by Kohavi and Wolpert"), 1);
    assert_eq!(chart("Reliability diagram of"), 2);
    for result in found["results"].as_array().unwrap() {
        let learner = result["learner"].as_str().unwrap();
        let error = result["calibration_error"]["mean"].as_f64().unwrap();
        assert!(
            error > 0.0 && page.contains(&format!("Reliability diagram of {learner}. Expected")),
            "{result}"
        );
        let parts = &result["bias_variance"]["kohavi_wolpert"];
        let [bias, variance] = ["bias", "variance"].map(|part| parts[part].as_f64().unwrap());
        assert!(page.contains(&format!("{learner}: bias² {bias:.4}, variance {variance:.4}")), "{result}");
        let curve = result["learning_curve"].as_array().unwrap();
        let [first, .., last] = &curve[..] else { panic!("{result}") };
        let mean = |point: &Value| point["accuracy"]["mean"].as_f64().unwrap();
        let told = format!("{learner}: {:.4} at 12, {:.4} at 30", mean(first), mean(last));
        assert!(page.contains(&told), "{told}\n{result}");
    }
    let page = folder.read("page.html");
    assert!(!page.contains("id=\"curves\"") && !page.contains("id=\"bias\""), "nobody asked for these");
}

#[test]
fn every_learner_has_its_network_or_a_word_for_it() {
    let folder = folder();
    let learners: String = LEARNERS.iter().map(|learner| format!(" --learner {learner}")).collect();
    folder.ok(&format!("evaluate plain.csv --folds 2 --html all.html{learners}"));
    let page = folder.read("all.html");
    let networks = page.split("id=\"networks\"").nth(1).unwrap().split("</section>").next().unwrap();
    for part in networks.split("<h3>").skip(1) {
        assert!(part.contains("<svg") || part.contains("parent") || part.contains("no structure"), "{part}");
    }
    assert_eq!(networks.matches("<h3>").count(), LEARNERS.len());
}

#[test]
fn a_page_does_not_replace_data() {
    let folder = folder();
    let error = folder.error(2, "evaluate plain.csv --html other.csv");
    assert!(error.contains("this looks like data"), "{error}");
}

/// The browser to test with; `None` when there is none.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("BNC_BROWSER") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|program| program.is_file());
    if found.is_none() {
        println!("skipped: there is no Chromium on the path, and BNC_BROWSER names none");
    }
    found
}

/// What a browser made of a page.
struct Seen {
    /// The document after its scripts.
    document: String,
    /// What it had to complain of.
    complaints: Vec<String>,
}

impl Folder {
    /// Opens a file in the browser; `None` without one.
    fn see(&self, file: &str, settings: &[&str]) -> Option<Seen> {
        let profile = self.path(&format!("profile-{file}"));
        let output = Command::new(browser()?)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(settings)
            .arg(format!("file://{}", self.path(file).display()))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        let complaints = messages.lines().filter(|line| line.contains(":CONSOLE")).map(String::from);
        Some(Seen { document: String::from_utf8(output.stdout).unwrap(), complaints: complaints.collect() })
    }

    /// Opens the page inside of another one, in a frame as wide as a telephone, and runs a script there that has the page's
    /// `document` and `window` and returns something. The page's own policy holds for the page, but not for that script.
    fn try_out(&self, script: &str, settings: &[&str]) -> Option<Value> {
        let (found, complaints) = self.try_framed("", script, settings)?;
        assert!(complaints.is_empty(), "{complaints:?}");
        Some(found)
    }

    /// The same with attributes of the frame; what the browser had to complain of, too.
    fn try_framed(&self, frame: &str, script: &str, settings: &[&str]) -> Option<(Value, Vec<String>)> {
        let page = serde_json::to_string(&self.read("page.html")).unwrap().replace("</", "<\\/");
        self.write(
            "driver.html",
            format!(
                "<!DOCTYPE html><pre id=result></pre><iframe id=frame width=390 height=800 {frame}></iframe><script>
                const frame = document.getElementById('frame');
                frame.onload = () => {{
                    const found = ((document, window) => {{ {script} }})(frame.contentDocument, frame.contentWindow);
                    document.getElementById('result').textContent = encodeURIComponent(JSON.stringify(found));
                }};
                frame.srcdoc = {page};
                </script>"
            ),
        );
        let seen = self.see("driver.html", settings)?;
        let result = seen.document.split("<pre id=\"result\">").nth(1).unwrap().split('<').next().unwrap();
        Some((serde_json::from_str(&decoded(result)).unwrap(), seen.complaints))
    }
}

/// Text without the escapes of an address.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_browser_has_nothing_to_complain_of() {
    let folder = folder();
    let Some(seen) = folder.see("page.html", &[]) else { return };
    assert!(seen.complaints.is_empty(), "{:?}", seen.complaints);
    assert!(seen.document.contains("<button"), "the script ran");
    // The policy is obeyed, and what is against it is complained of.
    let page = folder.read("page.html");
    folder.write(
        "other.html",
        page.replace("</main>", "</main><script>document.title = 'broken into'</script>"),
    );
    let seen = folder.see("other.html", &[]).unwrap();
    assert!(
        seen.complaints.iter().any(|line| line.contains("Content Security Policy")),
        "{:?}",
        seen.complaints
    );
    assert!(!seen.document.contains("<title>broken into"), "the policy stops other scripts");
}

#[test]
fn without_scripts_a_page_can_be_read() {
    let script = "
        const count = (what) => [...document.querySelectorAll(what)]
            .filter((it) => it.getBoundingClientRect().height > 10).length;
        document.querySelectorAll('details').forEach((details) => { details.open = true; });
        return ['table', 'svg.chart', 'svg.network', 'button'].map(count);";
    let folder = folder();
    let Some((found, complaints)) = folder.try_framed("sandbox=allow-same-origin", script, &[]) else {
        return;
    };
    assert!(complaints.iter().any(|line| line.contains("Blocked script execution")), "{complaints:?}");
    let [tables, charts, networks, buttons] = numbers(&found)[..] else { panic!("{found}") };
    let page = folder.read("page.html");
    assert!(tables > 5.0 && tables == page.matches("<table").count() as f64, "{found}");
    assert!(charts > 5.0 && charts == page.matches("<svg class=\"chart\"").count() as f64, "{found}");
    assert!(networks > 1.0 && buttons == 0.0, "{found}");
}

#[test]
fn tables_are_sorted_by_their_heads() {
    let script = "
        const table = document.querySelector('#results table');
        const read = (column) => [...table.tBodies[0].rows].map((row) => row.cells[column].textContent.trim());
        const heads = [...table.tHead.rows[0].cells];
        const click = (column) => {
            heads[column].querySelector('button').click();
            return { cells: read(column), sorts: heads.map((head) => head.getAttribute('aria-sort')) };
        };
        const foot = document.querySelector('#results tfoot tr th').textContent;
        return { before: read(0), numbers: [click(1), click(1)], words: [click(0), click(0)], foot };";
    let folder = folder();
    let Some(found) = folder.try_out(script, &[]) else { return };
    let words = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_string()).collect()
    };
    assert_eq!(words(&found["before"]), ["nb", "tan", "aode"]);
    let accuracies = |index: usize| -> Vec<f64> {
        let cells = words(&found["numbers"][index]["cells"]);
        cells.iter().map(|cell| cell.trim_end_matches('★').parse().unwrap()).collect()
    };
    let (up, down) = (accuracies(0), accuracies(1));
    assert!(up.is_sorted() && up.first() < up.last(), "{up:?}");
    assert!(down.is_sorted_by(|a, b| a >= b), "{down:?}");
    let sorts = |found: &Value| found["sorts"].as_array().unwrap().clone();
    assert_eq!(sorts(&found["numbers"][0])[..2], [Value::Null, "ascending".into()]);
    assert_eq!(sorts(&found["numbers"][1])[..2], [Value::Null, "descending".into()]);
    assert_eq!(words(&found["words"][0]["cells"]), ["aode", "nb", "tan"]);
    assert_eq!(words(&found["words"][1]["cells"]), ["tan", "nb", "aode"]);
    assert_eq!(sorts(&found["words"][1])[..2], ["descending".into(), Value::Null]);
    assert_eq!(found["foot"], "mean");
}

#[test]
fn a_telephone_scrolls_tables_but_not_the_page() {
    let script = "
        for (const details of document.querySelectorAll('details')) details.open = true;
        const root = document.documentElement;
        const scroll = [...document.querySelectorAll('.scroll')];
        const charts = [...document.querySelectorAll('#folds svg.chart')];
        return {
            page: [root.scrollWidth, window.innerWidth],
            wider: scroll.filter((it) => it.scrollWidth > it.clientWidth).length,
            charts: charts.map((chart) => chart.getBoundingClientRect().width),
        };";
    let folder = folder();
    let Some(found) = folder.try_out(script, &[]) else { return };
    let page = numbers(&found["page"]);
    assert!(page[0] <= page[1] && page[1] > 360.0 && page[1] <= 390.0, "{page:?}");
    assert!(found["wider"].as_u64().unwrap() > 0, "{found}");
    let charts = numbers(&found["charts"]);
    assert!(!charts.is_empty() && charts.iter().all(|width| (280.0..=390.0).contains(width)), "{charts:?}");
}

#[test]
fn the_dark_is_dark() {
    let script = "
        const colour = (element, what) => window.getComputedStyle(element)[what].match(/\\d+/g).slice(0, 3).map(Number);
        const section = document.querySelector('section');
        const tick = document.querySelector('.chart .tick');
        return [colour(section, 'backgroundColor'), colour(section, 'color'), colour(tick, 'fill')];";
    let folder = folder();
    let Some(dark) = folder.try_out(script, &["--blink-settings=preferredColorScheme=0"]) else { return };
    let light = folder.try_out(script, &["--blink-settings=preferredColorScheme=1"]).unwrap();
    let brightness = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|colour| numbers(colour).iter().sum::<f64>() / 3.0).collect()
    };
    let (dark, light) = (brightness(&dark), brightness(&light));
    assert!(dark[0] < 60.0 && dark[1] > 180.0 && dark[2] > 120.0, "{dark:?}");
    assert!(light[0] > 240.0 && light[1] < 60.0 && light[2] < 120.0, "{light:?}");
}
