//! What the gallery shows of a scene or a study: one section of its page.

use crate::failure::Failure;
use rattleback_record::{Page, Table};
use rattleback_studies::paper::{Paper, PaperItem, Place};
use serde_json::{Value, json};

/// One section.
#[derive(Debug, Default)]
pub struct Exhibit {
    pub title: String,
    /// What to see, and where it comes from.
    pub texts: Vec<String>,
    /// A PNG file and the line below it.
    pub picture: Option<(Vec<u8>, String)>,
    /// An SVG document.
    pub figure: Option<String>,
    /// Tables with their headings.
    pub tables: Vec<(String, Table)>,
    /// What is to be said after the tables.
    pub remarks: Vec<String>,
    /// The page with everything about it, from the gallery's folder.
    pub link: Option<String>,
    /// The figures and tables of papers that stand on that page, with what leads to them there.
    pub places: Vec<(Place, String)>,
}

/// A part of the gallery, whether it came about or not.
#[derive(Debug)]
pub struct Item {
    /// Its name, which is that of its folder.
    pub name: String,
    /// Scene or study.
    pub kind: &'static str,
    pub seconds: f64,
    pub outcome: Result<Exhibit, Failure>,
}

impl Item {
    fn title(&self) -> &str {
        self.outcome.as_ref().map_or(&self.name, |exhibit| &exhibit.title)
    }

    /// Adds the item's section to a page.
    pub fn show(&self, page: &mut Page) -> Result<(), Failure> {
        page.named_section(&self.name, self.title());
        let exhibit = match &self.outcome {
            Ok(exhibit) => exhibit,
            Err(failure) => {
                page.text(&format!("It failed: {}", failure.message));
                return Ok(());
            }
        };
        for text in &exhibit.texts {
            page.text(text);
        }
        if let Some((png, caption)) = &exhibit.picture {
            page.picture(png, caption);
        }
        if let Some(svg) = &exhibit.figure {
            page.figure(svg);
        }
        for (heading, table) in &exhibit.tables {
            page.table(heading, table);
        }
        for remark in &exhibit.remarks {
            page.text(remark);
        }
        if let Some(link) = &exhibit.link {
            page.link("All pictures, figures and tables of it", link);
        }
        Ok(())
    }

    /// The item for programs.
    pub fn told(&self) -> Value {
        let mut told = json!({
            "name": self.name,
            "kind": self.kind,
            "title": self.title(),
            "seconds": self.seconds,
            "error": self.outcome.as_ref().err().map(|failure| &failure.message),
        });
        if let Ok(exhibit) = &self.outcome {
            let table = |(heading, table): &(String, Table)| json!({"heading": heading, "columns": table.columns(), "rows": table.rows()});
            told["page"] = json!(exhibit.link);
            told["tables"] = exhibit.tables.iter().map(table).collect();
        }
        told
    }
}

/// Whether ours of a figure or table of a paper was made.
pub fn exists(items: &[Item], place: &Place) -> bool {
    let item = items.iter().find(|item| item.name == place.section());
    item.and_then(|item| item.outcome.as_ref().ok()).is_some_and(|exhibit| match place {
        Place::Study(..) => exhibit.places.iter().any(|(own, _)| own == place),
        Place::Section(_) => true,
    })
}

/// Paper by paper, which figure and table is on which page, and which is missing.
fn list_papers(items: &[Item], page: &mut Page) {
    let (count, missing) = PaperItem::missing(|place| exists(items, place));
    page.named_section("papers", "The papers: what is on which page");
    page.text(&format!(
        "{count} figures and tables of five papers, {} of them missing here, in whole or in part. The list is made from the \
         pages that were written.",
        missing.len()
    ));
    for paper in Paper::ALL {
        let (table, places) = PaperItem::table(paper, |place| exists(items, place));
        let target = |place: &Option<Place>| match place {
            Some(place @ Place::Study(..)) => address_of(items, place).unwrap_or_default(),
            Some(Place::Section(name)) => format!("#{name}"),
            None => String::new(),
        };
        let targets: Vec<String> = places.iter().map(target).collect();
        page.contents(paper.title(), &table, &targets);
    }
}

/// The address of a place on the page of a study.
fn address_of(items: &[Item], place: &Place) -> Option<String> {
    let item = items.iter().find(|item| item.name == place.section())?;
    let exhibit = item.outcome.as_ref().ok()?;
    let (_, anchor) = exhibit.places.iter().find(|(own, _)| own == place)?;
    exhibit.link.as_ref().map(|page| format!("{page}#{anchor}"))
}

/// The page of all items.
pub fn page(items: &[Item], seconds: f64) -> Result<Page, Failure> {
    let mut page = Page::new("Rattleback: the gallery");
    page.text(&format!(
        "Scenes and studies of the papers and libraries of problems that the engine is built on, each with the numbers of its \
         source beside those measured here. All of it took {seconds:.0} s."
    ));
    let mut table = Table::new(["what to see", "kind", "seconds", ""]);
    for item in items {
        let failed = if item.outcome.is_err() { "failed" } else { "" };
        table.push([item.title(), item.kind, &format!("{:.1}", item.seconds), failed]);
    }
    let targets: Vec<String> = items.iter().map(|item| format!("#{}", item.name)).collect();
    page.contents("Contents", &table, &targets);
    list_papers(items, &mut page);
    for item in items {
        item.show(&mut page)?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn an_item_that_failed_has_a_section_that_says_why() {
        let outcome = Err(Failure::motion("step 3 < 0"));
        let failed = Item { name: "top".to_owned(), kind: "scene", seconds: 1.0, outcome };
        let exhibit = Exhibit { title: "A ball".to_owned(), ..Exhibit::default() };
        let shown = Item { name: "ball".to_owned(), kind: "scene", seconds: 2.0, outcome: Ok(exhibit) };
        assert_eq!(failed.told()["error"], "step 3 < 0");
        assert!(shown.told()["error"].is_null());
        let html = page(&[failed, shown], 3.0).unwrap().to_html();
        for part in [
            "<a href=\"#top\">top</a>",
            "<td>failed</td>",
            "<h2 id=\"top\">top</h2>\n<p>It failed: step 3 &lt; 0</p>",
            "<h2 id=\"ball\">A ball</h2>",
        ] {
            assert!(html.contains(part), "{part} is missing: {html}");
        }
    }
}
