//! Standard error: notes, warnings, errors and progress bars.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use bnc_data::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Says things on standard error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Whether notes and progress bars are left out; warnings and errors never are.
    pub(crate) quiet: bool,
}

const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

impl Terminal {
    /// Something that may be good to know.
    pub(crate) fn note(self, text: impl Display) {
        if !self.quiet {
            line(format_args!("{}", one_line(&text)));
        }
    }

    /// A progress bar over bytes read; it is seen on a terminal only.
    pub(crate) fn reading(self, what: impl Display) -> Bar {
        self.bar(what, "{msg} {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A progress bar over so much work in several steps; it is seen on a terminal only.
    pub(crate) fn overall(self, work: u64) -> Overall {
        let bar = self.bar("", "{msg} {wide_bar} {percent}%, {eta} left");
        Overall { bar, work, done: 0 }
    }

    /// A progress bar over work whose units mean nothing to a reader; it is seen on a terminal only.
    pub(crate) fn searching(self, what: impl Display) -> Bar {
        self.bar(what, "{msg} {wide_bar} {percent}% {eta}")
    }

    fn bar(self, what: impl Display, template: &str) -> Bar {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_message(one_line(&what));
        // The templates are constants of this file; a wrong one falls back to the usual bar.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar(bar)
    }
}

/// Whether the user wants the work to end.
static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the work at the next safe point, where unfinished files are removed; a second one ends the program.
pub(crate) fn watch_for_interrupts() {
    // Where that cannot be had, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        line(format_args!("stopping; Ctrl-C once more stops at once"));
    });
}

fn is_cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}

/// Says something that is probably not meant.
pub(crate) fn warning(text: impl Display) {
    line(format_args!("{WARNING}warning:{WARNING:#} {}", one_line(&text)));
}

/// Says why the program ends without having done its work.
pub(crate) fn error(text: impl Display) {
    line(format_args!("{ERROR}error:{ERROR:#} {}", one_line(&text)));
}

fn line(text: std::fmt::Arguments<'_>) {
    // When nobody listens there is nobody to tell.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Names and values come from files: what would break the line or steer the terminal is shown escaped.
fn one_line(text: &impl Display) -> String {
    let text = text.to_string();
    if text.chars().any(char::is_control) {
        text.chars()
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
            .collect()
    } else {
        text
    }
}

/// A progress bar. It is to be cleared before anything else is said; it comes back when work goes on.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }

    fn advance(&self, done: u64, total: Option<u64>) {
        if self.0.is_finished() {
            self.0.reset();
        }
        if let Some(total) = total {
            self.0.set_length(total);
        }
        self.0.set_position(done);
    }
}

/// A progress bar over several steps, each with its share of the work.
pub(crate) struct Overall {
    bar: Bar,
    work: u64,
    done: u64,
}

impl Overall {
    /// The next step: its progress moves the bar through its share.
    pub(crate) fn step(&mut self, label: impl Display, share: u64) -> Step {
        self.bar.0.set_message(one_line(&label));
        let from = self.done;
        self.done += share;
        // What was planned too small still ends at the end.
        self.work = self.work.max(self.done);
        Step { bar: self.bar.0.clone(), from, share, work: self.work }
    }

    /// Says something while the bar is off the screen.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.0.suspend(say)
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.bar.clear();
    }
}

/// A step under a bar over all.
pub(crate) struct Step {
    bar: ProgressBar,
    from: u64,
    share: u64,
    work: u64,
}

impl Progress for Step {
    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }

    fn advance(&self, done: u64, total: Option<u64>) {
        let part = u128::from(self.share) * u128::from(done) / u128::from(total.unwrap_or(done).max(1));
        self.bar.set_length(self.work);
        self.bar.set_position(self.from + part as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
