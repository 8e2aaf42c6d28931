//! Counts per kind of pair, per placement, per scale; and the tables of them.

use crate::check::Fault;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What came of some pairs.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// All.
    pub pairs: u64,
    /// Answered with a gap above zero.
    pub separate: u64,
    /// Answered with a gap of zero or below.
    pub overlap: u64,
    /// With a certificate.
    pub certified: u64,
    /// Without one, and right as far as is seen.
    pub uncertified_right: u64,
    /// Without one, and wrong.
    pub uncertified_wrong: u64,
    /// With a certificate, and wrong; an answer that is no number; a panic.
    pub false_certificates: u64,
    /// Overlaps, certified or not, of bodies that are separate.
    pub said_to_overlap: u64,
    /// Certified overlaps.
    pub certified_overlaps: u64,
    /// Certified overlaps of more than the least depth.
    pub not_least: u64,
    /// (B, A) has another gap.
    pub order: u64,
    /// A moved copy has another gap; half of the pairs are moved.
    pub moved: u64,
    /// The answer's own normal as a start leads to another gap; the other half is asked so.
    pub warm: u64,
    /// Both of two answers that differ in one of these ways are certified.
    pub contradictions: u64,
    /// Refused with an error.
    pub errors: u64,
    /// Time of the cold queries in s.
    pub seconds: f64,
    /// Overlaps proved global.
    pub global: u64,
    /// Overlaps compared with others.
    pub compared: u64,
    /// False certificates by rule.
    pub rules: BTreeMap<Fault, u64>,
    /// Wrong answers without a certificate by rule.
    pub uncertified_rules: BTreeMap<Fault, u64>,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.separate += other.separate;
        self.overlap += other.overlap;
        self.certified += other.certified;
        self.uncertified_right += other.uncertified_right;
        self.uncertified_wrong += other.uncertified_wrong;
        self.false_certificates += other.false_certificates;
        self.said_to_overlap += other.said_to_overlap;
        self.certified_overlaps += other.certified_overlaps;
        self.not_least += other.not_least;
        self.order += other.order;
        self.moved += other.moved;
        self.warm += other.warm;
        self.contradictions += other.contradictions;
        self.errors += other.errors;
        self.seconds += other.seconds;
        self.global += other.global;
        self.compared += other.compared;
        for (mine, theirs) in
            [(&mut self.rules, &other.rules), (&mut self.uncertified_rules, &other.uncertified_rules)]
        {
            for (rule, count) in theirs {
                *mine.entry(*rule).or_default() += count;
            }
        }
    }

    fn row(&self, name: &str) -> String {
        let answered = (self.separate + self.overlap).max(1);
        format!(
            "{name:<30}{:>9}{:>9}{:>9}{:>10}{:>8}{:>8}{:>8}{:>7}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8.0}{:>9}{:>9}\n",
            self.pairs,
            self.separate,
            self.overlap,
            self.certified,
            self.uncertified_right,
            self.uncertified_wrong,
            self.false_certificates,
            self.said_to_overlap,
            self.not_least,
            self.order,
            self.moved,
            self.warm,
            self.errors,
            self.seconds * 1e9 / answered as f64,
            self.global,
            self.compared,
        )
    }
}

/// All counts of a run.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    kinds: BTreeMap<[&'static str; 2], Counts>,
    circumstances: BTreeMap<(usize, &'static str), Counts>,
    /// All pairs.
    pub all: Counts,
}

impl Tally {
    /// Adds what came of pairs of a kind, under some circumstances.
    pub fn count(&mut self, kind: [&'static str; 2], circumstances: [&'static str; 3], counts: &Counts) {
        self.kinds.entry(kind).or_default().add(counts);
        for key in circumstances.into_iter().enumerate() {
            self.circumstances.entry(key).or_default().add(counts);
        }
        self.all.add(counts);
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        for (key, counts) in &other.kinds {
            self.kinds.entry(*key).or_default().add(counts);
        }
        for (key, counts) in &other.circumstances {
            self.circumstances.entry(*key).or_default().add(counts);
        }
        self.all.add(&other.all);
    }

    /// Whether nothing false was found.
    pub fn is_true(&self) -> bool {
        self.all.false_certificates == 0 && self.all.said_to_overlap == 0
    }

    /// The tables, and the figures that are asked for.
    pub fn table(&self) -> String {
        let mut text = head("pair");
        for ([x, y], counts) in &self.kinds {
            text += &counts.row(&format!("{x}-{y}"));
        }
        text += &self.all.row("all");
        text += &head("circumstances");
        for ((_, name), counts) in &self.circumstances {
            text += &counts.row(name);
        }
        for (title, rules) in
            [("false", &self.all.rules), ("wrong without a certificate", &self.all.uncertified_rules)]
        {
            for (rule, count) in rules {
                let _ = writeln!(text, "{title}: {count} × {}", rule.words());
            }
        }
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let all = &self.all;
        let answered = all.separate + all.overlap;
        let _ = writeln!(
            text,
            "false certificates: {} of {} pairs ({:.4} %; asked: none)\nuncertified: {:.4} % of the answers (asked: below 0.01 %)\n\
             least depth: {:.4} % of the certified overlaps (asked: 99.9 %)\n\
             exchanged, moved or warm with another gap: {}, of which {} between certified answers (asked: none)",
            all.false_certificates,
            all.pairs,
            share(all.false_certificates, all.pairs),
            share(answered - all.certified, answered),
            100.0 - share(all.not_least, all.certified_overlaps),
            all.order + all.moved + all.warm,
            all.contradictions,
        );
        text
    }
}

fn head(first: &str) -> String {
    format!(
        "{first:<30}{:>9}{:>9}{:>9}{:>10}{:>8}{:>8}{:>8}{:>7}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}\n",
        "pairs",
        "separate",
        "overlap",
        "certified",
        "unc.ok",
        "unc.bad",
        "FALSE",
        "apart",
        "notleast",
        "order",
        "moved",
        "warm",
        "errors",
        "ns",
        "global",
        "compared"
    )
}
