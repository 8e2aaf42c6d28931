//! Values that elements have from classes of defaults.
//!
//! A class has its own values and those of the class in which it stands. An element is of the class that it names,
//! else of the `childclass` of the nearest body around it, else of the outermost class.

use super::super::log::Log;
use super::super::xml::{Attribute, Element};
use std::collections::BTreeMap;

/// A class: the one in which it stands, and its own elements.
#[derive(Debug, Default)]
struct Class {
    parent: Option<String>,
    elements: Vec<Element>,
}

/// All classes by name.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    classes: BTreeMap<String, Class>,
}

/// The name of the outermost class where it has none.
const MAIN: &str = "main";

impl Defaults {
    pub(super) fn read(root: &Element, log: &mut Log) -> Self {
        let mut defaults = Self::default();
        for element in root.all("default") {
            defaults.class(element, None, log);
        }
        defaults
    }

    fn class(&mut self, element: &Element, parent: Option<&str>, log: &mut Log) {
        let name = match (element.get("class"), parent) {
            (Some(name), Some(_)) => name.value.clone(),
            // The outermost class is what elements without a class are of, whatever it is called.
            (_, None) => MAIN.to_owned(),
            (None, Some(_)) => {
                log.refuse(&element.spot, "missing attribute `class` of a default in another");
                return;
            }
        };
        let class = self.classes.entry(name.clone()).or_default();
        class.parent = parent.map(str::to_owned);
        class.elements.extend(element.children.iter().filter(|child| child.tag != "default").cloned());
        if let (None, Some(alias)) = (parent, element.value("class").filter(|class| *class != MAIN)) {
            self.classes
                .insert(alias.to_owned(), Class { parent: Some(MAIN.to_owned()), elements: Vec::new() });
        }
        for child in element.all("default") {
            self.class(child, Some(&name), log);
        }
    }

    /// An element with the defaults of its class; `around` is the class of what stands around it.
    pub(super) fn view<'e>(
        &'e self,
        element: &'e Element,
        tag: &'e str,
        around: Option<&'e str>,
    ) -> View<'e> {
        let class = element.value("class").or(around).unwrap_or(MAIN);
        View { element, tag, class, defaults: self }
    }

    /// Whether there is a class of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        name == MAIN || self.classes.contains_key(name)
    }

    fn find(&self, class: &str, tag: &str, name: &str) -> Option<&Attribute> {
        let mut next = self.classes.get(class);
        // Classes stand in each other: there are no circles, and no more steps than classes.
        for _ in 0..=self.classes.len() {
            let class = next?;
            let elements = class.elements.iter().rev().filter(|element| element.tag == tag);
            if let Some(found) = elements.filter_map(|element| element.get(name)).next() {
                return Some(found);
            }
            next = class.parent.as_ref().and_then(|parent| self.classes.get(parent));
        }
        None
    }
}

/// An element with its defaults.
#[derive(Clone, Copy)]
pub(super) struct View<'e> {
    pub(super) element: &'e Element,
    tag: &'e str,
    class: &'e str,
    defaults: &'e Defaults,
}

impl<'e> View<'e> {
    /// What the element itself says.
    pub(super) fn own(&self, name: &str) -> Option<&'e Attribute> {
        self.element.get(name)
    }

    /// What the element says, or its class.
    pub(super) fn get(&self, name: &str) -> Option<&'e Attribute> {
        self.own(name).or_else(|| self.defaults.find(self.class, self.tag, name))
    }

    /// The text of an attribute.
    pub(super) fn value(&self, name: &str) -> Option<&'e str> {
        self.get(name).map(|attribute| attribute.value.as_str())
    }

    /// A number, or what is usual.
    pub(super) fn number(&self, name: &str, usual: f64, log: &mut Log) -> f64 {
        self.get(name).and_then(|attribute| attribute.number(log)).unwrap_or(usual)
    }
}
