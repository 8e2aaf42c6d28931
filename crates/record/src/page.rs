//! A page of text, tables and figures in one HTML file that needs nothing else.

use crate::table::Table;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;margin:1rem 0;font-size:14px}\
th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}\
th:first-child,td:first-child{text-align:left}\
svg{max-width:100%;height:auto}";

/// A page under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new() }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escaped(text));
    }

    /// Adds a table under a heading.
    pub fn table(&mut self, heading: &str, table: &Table) {
        self.body += &format!("<h2>{}</h2>\n{}", escaped(heading), table.to_html());
    }

    /// Adds a figure, given as an SVG document.
    pub fn figure(&mut self, svg: &str) {
        self.body += &format!("<figure>{svg}</figure>\n");
    }

    /// The page as HTML.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
             <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }
}

/// Text with the characters that HTML reserves replaced.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_what_was_added_with_reserved_characters_replaced() {
        let mut table = Table::new(["a < b"]);
        table.push(["1 & 2"]);
        let mut page = Page::new("Gaps");
        page.text("x > 0");
        page.table("Numbers", &table);
        page.figure("<svg></svg>");
        let html = page.to_html();
        for part in
            ["<h1>Gaps</h1>", "<p>x &gt; 0</p>", "<th>a &lt; b</th>", "<td>1 &amp; 2</td>", "<svg></svg>"]
        {
            assert!(html.contains(part), "{part} is missing: {html}");
        }
    }
}
