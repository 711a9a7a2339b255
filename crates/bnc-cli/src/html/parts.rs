//! What pages are made of: tables, grids of charts, and what is folded away.

use maud::{Markup, Render, html};

/// A value of a metric as the text reports have it, to four places; – where it is undefined.
pub(crate) fn figure(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value.is_nan() => "–".into(),
        Some(f64::INFINITY) => "∞".into(),
        Some(value) => format!("{value:.4}"),
    }
}

/// A table that scrolls by itself where it is too wide, and can be sorted by each column.
pub(crate) struct Table<'a> {
    /// What it shows, in a few words.
    pub(crate) title: &'a str,
    pub(crate) columns: Vec<Column>,
    /// The cells, of which the first names the row.
    pub(crate) rows: Vec<Vec<Markup>>,
    /// Rows that stay at the end.
    pub(crate) foot: Vec<Vec<Markup>>,
}

/// The head of a column.
pub(crate) struct Column {
    head: Markup,
    class: Option<&'static str>,
}

impl Column {
    /// A column of words.
    pub(crate) fn words(head: impl Render) -> Self {
        Self { head: head.render(), class: None }
    }

    /// A column whose cells begin with a number.
    pub(crate) fn numbers(head: impl Render) -> Self {
        Self { head: head.render(), class: Some("number") }
    }

    /// A column of numbers that are written alike, with something after them.
    pub(crate) fn measures(head: impl Render) -> Self {
        Self { head: head.render(), class: Some("number measure") }
    }
}

impl Render for Table<'_> {
    fn render(&self) -> Markup {
        html! {
            div class="scroll" role="region" aria-label=(self.title) tabindex="0" {
                table class="sortable" aria-label=(self.title) {
                    thead {
                        tr { @for column in &self.columns { th scope="col" class=[column.class] { (column.head) } } }
                    }
                    tbody { @for row in &self.rows { (self.row(row)) } }
                    @if !self.foot.is_empty() {
                        tfoot { @for row in &self.foot { (self.row(row)) } }
                    }
                }
            }
        }
    }
}

impl Table<'_> {
    fn row(&self, cells: &[Markup]) -> Markup {
        html! {
            tr {
                @for (index, (cell, column)) in cells.iter().zip(&self.columns).enumerate() {
                    @if index == 0 {
                        th scope="row" class=[column.class] { (cell) }
                    } @else {
                        td class=[column.class] { (cell) }
                    }
                }
            }
        }
    }
}

/// Charts side by side, as many as there is room for.
pub(crate) fn grid(charts: &[Markup]) -> Markup {
    html! { div class="grid" { @for chart in charts { (chart) } } }
}

/// Small charts side by side, two of them on a telephone.
pub(crate) fn small_grid(charts: &[Markup]) -> Markup {
    html! { div class="grid small" { @for chart in charts { (chart) } } }
}

/// Something for each of several things, which readers unfold one by one; the first is open.
pub(crate) fn folded(items: impl IntoIterator<Item = (Markup, Markup)>) -> Markup {
    html! {
        @for (index, (summary, content)) in items.into_iter().enumerate() {
            details open[index == 0] {
                summary { (summary) }
                div class="folded" { (content) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_text() {
        assert_eq!(figure(Some(0.123_45)), "0.1235");
        assert_eq!([figure(None), figure(Some(f64::NAN)), figure(Some(f64::INFINITY))], ["–", "–", "∞"]);
    }

    #[test]
    fn tables_have_scopes() {
        let table = Table {
            title: "a \"b\"",
            columns: vec![Column::words("<x>"), Column::numbers("y")],
            rows: vec![vec![html! { "r" }, html! { "1" }]],
            foot: vec![vec![html! { "mean" }, html! { "1" }]],
        };
        let text = table.render().into_string();
        assert!(
            text.contains("<th scope=\"col\">&lt;x&gt;</th><th scope=\"col\" class=\"number\">y</th>"),
            "{text}"
        );
        assert!(text.contains("<th scope=\"row\">r</th><td class=\"number\">1</td>"), "{text}");
        assert!(text.contains("<tfoot><tr><th scope=\"row\">mean</th>"), "{text}");
        assert!(text.contains("aria-label=\"a &quot;b&quot;\""), "{text}");
    }
}
