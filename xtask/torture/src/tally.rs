//! Counts per kind of pair, and the table of them.

use crate::check::Fault;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What came of the pairs of one kind.
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
    /// A moved copy has another gap.
    pub moved: u64,
    /// The answer's own normal as a start leads to another gap.
    pub warm: u64,
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
        self.errors += other.errors;
        self.seconds += other.seconds;
        self.global += other.global;
        self.compared += other.compared;
        for (rule, count) in &other.rules {
            *self.rules.entry(*rule).or_default() += count;
        }
    }

    fn row(&self, name: &str) -> String {
        let answered = (self.separate + self.overlap).max(1);
        format!(
            "{name:<30}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}{:>7}{:>7}{:>8}{:>7}{:>7}{:>7}{:>8}{:>8.0}{:>8}{:>9}\n",
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

/// The table, a row per kind of pair.
pub fn table(rows: &BTreeMap<String, Counts>) -> (String, Counts) {
    let mut text = format!(
        "{:<30}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}{:>7}{:>7}{:>8}{:>7}{:>7}{:>7}{:>8}{:>8}{:>8}{:>9}\n",
        "pair",
        "pairs",
        "separate",
        "overlap",
        "certif.",
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
    );
    let mut all = Counts::default();
    for (name, counts) in rows {
        text += &counts.row(name);
        all.add(counts);
    }
    text += &all.row("all");
    for (rule, count) in &all.rules {
        let _ = writeln!(text, "false by rule: {count:>9}  {}", rule.words());
    }
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let answered = all.separate + all.overlap;
    let _ = writeln!(
        text,
        "false certificates {:.4} %, uncertified {:.4} % (asked: below 0.01), depth least in {:.4} % of certified overlaps (asked: 99.9)",
        share(all.false_certificates, all.pairs),
        share(answered - all.certified.min(answered), answered),
        100.0 - share(all.not_least, all.certified_overlaps),
    );
    (text, all)
}
