//! Which law a pair of parts has: surfaces of the model from materials and bodies.
//!
//! The model has laws between kinds of surface. A material is one, for all bodies that are made of it, unless an entry
//! of `contacts` tells bodies apart: one that names them, or one whose force acts nearer to the stiffer side, for which
//! it matters which body comes first. Then each body has a kind of its own.

use super::contact::{ApplicationSpec, ContactSpec};
use super::spec::SceneSpec;
use crate::read::{At, Reader};
use rattleback_dynamics::model::{ModelBuilder, SurfaceId};
use std::collections::{BTreeMap, BTreeSet};

/// The most kinds of surface: between all of them there are half a million laws, some hundred megabytes.
const MAX_KINDS: usize = 1000;

/// A kind of surface: a material, of one body or of all that are made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    material: usize,
    body: Option<usize>,
}

/// The kinds of surface that are used.
pub(crate) struct Surfaces<'s> {
    scene: &'s SceneSpec,
    /// Bodies that have kinds of their own.
    own: BTreeSet<usize>,
    /// Materials whose bodies all have kinds of their own.
    split: BTreeSet<usize>,
    kinds: Vec<(Kind, SurfaceId)>,
    /// The surface of each of them.
    known: BTreeMap<Kind, SurfaceId>,
    /// The surface of parts that are only drawn.
    drawn: Option<SurfaceId>,
}

impl<'s> Surfaces<'s> {
    /// `names` are those of the bodies, copies included.
    pub(crate) fn new(scene: &'s SceneSpec, names: &[String]) -> Self {
        let mut surfaces = Self {
            scene,
            own: BTreeSet::new(),
            split: BTreeSet::new(),
            kinds: Vec::new(),
            known: BTreeMap::new(),
            drawn: None,
        };
        for contact in &scene.contacts {
            if let Some(bodies) = &contact.bodies {
                let named = |name: &At<String>| names.iter().position(|other| *other == name.value);
                surfaces.own.extend(bodies.iter().filter_map(named));
            }
            if contact.application == ApplicationSpec::ByStiffness {
                match &contact.materials {
                    Some(pair) => {
                        let named: Vec<usize> =
                            pair.iter().filter_map(|name| surfaces.material(&name.value)).collect();
                        surfaces.split.extend(named);
                    }
                    None => surfaces.split.extend(0..scene.materials.0.len()),
                }
            }
        }
        surfaces
    }

    fn material(&self, name: &str) -> Option<usize> {
        self.scene.materials.0.iter().position(|(other, _)| other == name)
    }

    /// The surface of a part of the given body; `material` is the number of its material, none where it is only drawn.
    pub(crate) fn of(
        &mut self,
        body: usize,
        material: Option<usize>,
        builder: &mut ModelBuilder,
    ) -> SurfaceId {
        let Some(material) = material else {
            return *self.drawn.get_or_insert_with(|| builder.surface("only drawn"));
        };
        let own = self.own.contains(&body) || self.split.contains(&material);
        let kind = Kind { material, body: own.then_some(body) };
        if let Some(&id) = self.known.get(&kind) {
            return id;
        }
        let id = builder.surface(&self.scene.materials.0[material].0);
        self.kinds.push((kind, id));
        self.known.insert(kind, id);
        id
    }

    /// Complains of more kinds than laws can be kept for, at the entry that tells most bodies apart.
    fn refuse_kinds(&self, reader: &mut Reader) {
        let message = format!(
            "found {} bodies that are told apart, each with laws of its own; at most {MAX_KINDS} can be",
            self.kinds.len()
        );
        let splits = |contact: &&ContactSpec| contact.application == ApplicationSpec::ByStiffness;
        match self.scene.contacts.iter().find(splits) {
            Some(contact) => reader.wrong(&contact.place, "application", message),
            None => reader.wrong(&self.scene.place, "contacts", message),
        }
    }

    /// Sets the laws between all kinds that are used; the entries of `contacts` that no pair uses.
    pub(crate) fn set_laws(
        &self,
        names: &[String],
        builder: &mut ModelBuilder,
        reader: &mut Reader,
    ) -> Vec<usize> {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let materials: Vec<&str> = self.scene.materials.0.iter().map(|(name, _)| name.as_str()).collect();
        let sides: Vec<Sides> = self
            .scene
            .contacts
            .iter()
            .map(|contact| Sides::of(contact, &known, &materials, reader))
            .collect();
        refuse_twins(&self.scene.contacts, &sides, reader);
        if self.kinds.len() > MAX_KINDS {
            self.refuse_kinds(reader);
            return Vec::new();
        }
        // Entries that serve a pair, and those that have been complained of.
        let (mut used, mut wrong) = (BTreeSet::new(), BTreeSet::new());
        for (i, (one, a)) in self.kinds.iter().enumerate() {
            for (other, b) in &self.kinds[i..] {
                // A kind of one body does not meet itself.
                if one.body.is_some() && one.body == other.body {
                    continue;
                }
                let best = (0..sides.len()).filter_map(|k| Some((sides[k].rank(one, other)?, k))).max();
                let Some((_, k)) = best else { continue };
                used.insert(k);
                // One complaint per entry is enough.
                if wrong.contains(&k) {
                    continue;
                }
                let (first, second) = if one.body <= other.body { (one, other) } else { (other, one) };
                let pair = [first, second].map(|kind| self.scene.materials.0[kind.material].1.elastic());
                match self.scene.contacts[k].lower(pair, reader) {
                    Some(law) => _ = builder.law(*a, *b, law),
                    None => _ = wrong.insert(k),
                }
            }
        }
        // What no pair uses is checked all the same, with materials of its own.
        for (k, contact) in self.scene.contacts.iter().enumerate().filter(|(k, _)| !used.contains(k)) {
            let own = |m: usize| self.scene.materials.0[m].1.elastic();
            let pair = sides[k].materials.map_or([None, None], |pair| pair.map(own));
            if sides[k].materials.is_some() {
                contact.lower(pair, reader);
            }
        }
        (0..sides.len()).filter(|k| !used.contains(k) && !sides[*k].wrong).collect()
    }
}

/// The bodies and materials that an entry names, by number.
#[derive(Debug, PartialEq)]
struct Sides {
    bodies: Option<[usize; 2]>,
    materials: Option<[usize; 2]>,
    /// Whether a name was not found.
    wrong: bool,
}

impl Sides {
    fn of(contact: &ContactSpec, bodies: &[&str], materials: &[&str], reader: &mut Reader) -> Self {
        let mut wrong = false;
        let mut pair = |names: &Option<[At<String>; 2]>, kind: &str, known: &[&str]| {
            let [a, b] = names.as_ref()?;
            let found = (reader.find(a, kind, known), reader.find(b, kind, known));
            wrong |= found.0.is_none() || found.1.is_none();
            Some([found.0?, found.1?])
        };
        let bodies = pair(&contact.bodies, "body", bodies);
        let materials = pair(&contact.materials, "material", materials);
        if contact.bodies.is_some() && contact.materials.is_some() {
            reader.wrong(
                &contact.place,
                "materials",
                "found `bodies` and `materials`; expected one of them, or neither for all pairs",
            );
            wrong = true;
        }
        Self { bodies, materials, wrong }
    }

    /// How well it fits two kinds: bodies before materials before all.
    fn rank(&self, one: &Kind, other: &Kind) -> Option<u8> {
        if self.wrong {
            return None;
        }
        let same = |pair: [usize; 2], a: usize, b: usize| pair == [a, b] || pair == [b, a];
        match (self.bodies, self.materials) {
            (Some(pair), _) => same(pair, one.body?, other.body?).then_some(2),
            (None, Some(pair)) => same(pair, one.material, other.material).then_some(1),
            (None, None) => Some(0),
        }
    }
}

/// Complains of entries that say the same pair.
fn refuse_twins(contacts: &[ContactSpec], sides: &[Sides], reader: &mut Reader) {
    let sorted = |pair: Option<[usize; 2]>| pair.map(|[a, b]| [a.min(b), a.max(b)]);
    for (k, side) in sides.iter().enumerate() {
        let same = |other: &Sides| {
            sorted(other.bodies) == sorted(side.bodies) && sorted(other.materials) == sorted(side.materials)
        };
        if !side.wrong && sides[..k].iter().any(|other| !other.wrong && same(other)) {
            let key = if side.bodies.is_some() { "bodies" } else { "materials" };
            reader.wrong(&contacts[k].place, key, "an earlier entry of `contacts` is for the same pair");
        }
    }
}
