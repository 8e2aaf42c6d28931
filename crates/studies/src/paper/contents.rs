//! What of a paper is on which page, found out from the pages that were made.

use super::{ITEMS, Paper};
use rattleback_record::Table;

/// Where ours of a figure or a table stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the page of a study: the name of a figure or picture, or how the heading of a table begins.
    Study(&'static str, &'static str),
    /// In the section of a scene or an application.
    Section(&'static str),
}

impl Place {
    /// The name of the section that it belongs to, as the gallery has it.
    pub fn section(&self) -> String {
        match self {
            Self::Study(study, _) => format!("study-{study}"),
            Self::Section(name) => (*name).to_owned(),
        }
    }
}

/// A figure or a table of a paper.
#[derive(Debug, Clone, Copy)]
pub struct PaperItem {
    /// The paper.
    pub paper: Paper,
    /// Its name there, such as "Fig. 4".
    pub name: &'static str,
    /// What the paper shows.
    pub shows: &'static str,
    /// Where ours is to be; none where there is none.
    pub places: &'static [Place],
}

impl PaperItem {
    /// The places that are there: `exists` says so of a place.
    pub fn found(&self, exists: impl Fn(&Place) -> bool) -> Vec<Place> {
        self.places.iter().copied().filter(exists).collect()
    }

    /// The figures and tables of a paper, with where each stands, or that it is missing, and what the first cell of
    /// each row leads to.
    pub fn table(paper: Paper, exists: impl Fn(&Place) -> bool) -> (Table, Vec<Option<Place>>) {
        let mut table = Table::new(["in the paper", "what it shows", "on the page", "there"]);
        let mut targets = Vec::new();
        for item in ITEMS.iter().filter(|item| item.paper == paper) {
            let found = item.found(&exists);
            let lost = item.places.len() - found.len();
            let pages_of_own = found.iter().filter(|place| matches!(place, Place::Section(_))).count();
            let there = |place: &Place| match place {
                Place::Study(_, part) => *part,
                Place::Section(_) if pages_of_own > 1 => "their sections",
                Place::Section(_) => "its section",
            };
            let mut pages: Vec<String> = found.iter().map(Place::section).collect();
            pages.dedup();
            let mut parts: Vec<&str> = found.iter().map(there).collect();
            parts.dedup();
            let mut parts = parts.join(", ");
            if lost > 0 && !found.is_empty() {
                parts += &format!("; {lost} of {} missing", item.places.len());
            }
            let pages = if found.is_empty() { "missing".to_owned() } else { pages.join(", ") };
            table.push([item.name.to_owned(), item.shows.to_owned(), pages, parts]);
            targets.push(found.first().copied());
        }
        (table, targets)
    }

    /// How many figures and tables there are, and those that are missing.
    pub fn missing(exists: impl Fn(&Place) -> bool) -> (usize, Vec<String>) {
        let absent = ITEMS.iter().filter(|item| item.found(&exists).len() < item.places.len().max(1));
        (ITEMS.len(), absent.map(|item| format!("{:?} {}", item.paper, item.name)).collect())
    }
}
