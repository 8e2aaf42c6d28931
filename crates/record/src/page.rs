//! A page of text, tables, figures and pictures in one HTML file that needs nothing else: no script, nothing from
//! outside.

use crate::table::Table;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;

/// Light whatever the reader's machine prefers: figures and pictures are made for a white ground.
const STYLE: &str = ":root{color-scheme:light}\
body{font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;\
max-width:1000px;margin:2.5rem auto;padding:0 1.2rem;color:#222;background:#fff}\
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1.2rem}\
h2{font-size:1.35rem;margin:2.4rem 0 .6rem;padding-bottom:.25rem;border-bottom:1px solid #ddd}\
h3{font-size:1.08rem;margin:1.6rem 0 .4rem}\
table{border-collapse:collapse;margin:.8rem 0;font-size:.88rem;font-variant-numeric:tabular-nums;\
display:block;overflow-x:auto}\
th,td{padding:.25rem .8rem;text-align:left;border-bottom:1px solid #e3e3e3;white-space:nowrap}\
th{border-bottom:2px solid #bbb;font-weight:600}\
.wide{font-size:.8rem}.wide th,.wide td{padding:.25rem .45rem}\
.number{text-align:right}\
td.words{white-space:normal;min-width:7rem}th{white-space:normal;vertical-align:bottom}\
.notice{padding:.5rem .9rem;border-left:.35rem solid #2a7;background:#f0f7f4}\
.alarm{border-color:#c22;background:#fdf0ef;font-weight:600}\
figure{margin:1.2rem 0}\
figcaption{font-size:.88rem;color:#555;margin-top:.35rem}\
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(22rem,1fr));gap:0 1rem}\
.pictures figure{margin:.6rem 0}\
svg,img{max-width:100%;height:auto;display:block}\
@media print{body{max-width:none;margin:0;font-size:11pt}h2,h3{break-after:avoid}figure,tr{break-inside:avoid}\
table{display:table}}";

/// A page under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    title: String,
    body: String,
    /// Whether a section has begun: headings of tables are below its own.
    in_section: bool,
}

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new(), in_section: false }
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str) {
        self.body += &format!("<h2>{}</h2>\n", escaped(title));
        self.in_section = true;
    }

    /// Begins a section to which `#name` leads.
    pub fn named_section(&mut self, name: &str, title: &str) {
        self.body += &format!("<h2 id=\"{}\">{}</h2>\n", escaped(name), escaped(title));
        self.in_section = true;
    }

    /// Marks a place to which `#name` leads.
    pub fn anchor(&mut self, name: &str) {
        self.body += &format!("<a id=\"{}\"></a>\n", escaped(name));
    }

    /// Adds a line that leads elsewhere: to a file, given from the page's own folder, or to a section, `#name`.
    pub fn link(&mut self, text: &str, target: &str) {
        self.body += &format!("<p>{}</p>\n", linked(text, target));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escaped(text));
    }

    /// Adds a paragraph that is seen first: calm where all is well, loud where it is not.
    pub fn notice(&mut self, text: &str, well: bool) {
        let class = if well { "notice" } else { "notice alarm" };
        self.body += &format!("<p class=\"{class}\">{}</p>\n", escaped(text));
    }

    /// Adds a table under a heading.
    pub fn table(&mut self, heading: &str, table: &Table) {
        let level = if self.in_section { 3 } else { 2 };
        self.body += &format!("<h{level}>{}</h{level}>\n{}", escaped(heading), table.to_html());
    }

    /// Adds a table under a heading; the first cell of each row leads to its target, as far as there is one;
    /// an empty one leads nowhere.
    pub fn contents(&mut self, heading: &str, table: &Table, targets: &[String]) {
        self.body += &format!("<h2>{}</h2>\n{}", escaped(heading), table.to_html_with(targets));
    }

    /// Adds a figure, given as an SVG document.
    pub fn figure(&mut self, svg: &str) {
        self.body += &format!("<figure>{svg}</figure>\n");
    }

    /// Adds a picture, given as a PNG file, with a line below it.
    pub fn picture(&mut self, png: &[u8], caption: &str) {
        let (caption, data) = (escaped(caption), BASE64.encode(png));
        self.body += &format!(
            "<figure><img alt=\"{caption}\" src=\"data:image/png;base64,{data}\">\
             <figcaption>{caption}</figcaption></figure>\n"
        );
    }

    /// Adds pictures side by side, as many in a row as there is room for.
    pub fn pictures<'a>(&mut self, pictures: impl IntoIterator<Item = (&'a [u8], &'a str)>) {
        self.body += "<div class=\"pictures\">\n";
        for (png, caption) in pictures {
            self.picture(png, caption);
        }
        self.body += "</div>\n";
    }

    /// The page as HTML.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
             <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }
}

/// Text that leads to a target.
pub(crate) fn linked(text: &str, target: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(target), escaped(text))
}

/// Text with the characters that HTML reserves, in text and in attributes, replaced.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_what_was_added_with_reserved_characters_replaced() {
        let mut table = Table::new(["a < b", "c"]);
        table.push(["1 & 2", "x"]);
        let mut page = Page::new("Gaps");
        page.text("x > 0");
        page.table("Numbers", &table);
        page.figure("<svg></svg>");
        page.section("More & more");
        page.table("Details", &table);
        page.picture(b"foob", "\"<here>\"");
        page.named_section("end", "The end");
        page.link("all of it", "a&b/index.html");
        page.contents("Contents", &table, &["#end".to_owned()]);
        let html = page.to_html();
        for part in [
            "<h1>Gaps</h1>",
            "<p>x &gt; 0</p>",
            "<h2>Numbers</h2>",
            "<th class=\"number\">a &lt; b</th>",
            "<td class=\"number\">1 &amp; 2</td><td>x</td>",
            "<svg></svg>",
            "<h2>More &amp; more</h2>",
            "<h3>Details</h3>",
            "<img alt=\"&quot;&lt;here&gt;&quot;\" src=\"data:image/png;base64,Zm9vYg==\">",
            "<figcaption>&quot;&lt;here&gt;&quot;</figcaption>",
            "<h2 id=\"end\">The end</h2>",
            "<p><a href=\"a&amp;b/index.html\">all of it</a></p>",
            "<td class=\"number\"><a href=\"#end\">1 &amp; 2</a></td><td>x</td>",
        ] {
            assert!(html.contains(part), "{part} is missing: {html}");
        }
    }

    #[test]
    fn a_page_asks_for_nothing_from_outside_and_runs_nothing() {
        let html = Page::new("<script>").to_html();
        for part in ["<script", "http", "url(", "@import"] {
            assert!(!html.contains(part), "{part} is there: {html}");
        }
        for part in ["lang=\"en\"", "charset=\"utf-8\"", "name=\"viewport\""] {
            assert!(html.contains(part), "{part} is missing");
        }
    }
}
