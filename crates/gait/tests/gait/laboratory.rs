//! The measured trial as another laboratory would have written it.

use super::{data, raw, scratch};
use rattleback_gait::doctor::{Findings, Known, examine};
use rattleback_gait::file::{Storage, Trc, read_storage, write_storage, write_trc};
use rattleback_gait::{GaitError, Trial, TrialFiles};

/// The files of a laboratory.
pub struct Laboratory {
    pub walk: Trc,
    pub still: Trc,
    pub forces: Storage,
}

impl Laboratory {
    pub fn here() -> Option<Self> {
        let (walk, still) = raw()?;
        let forces = read_storage(&data()?.join("subject01_walk1_grf.mot")).unwrap();
        Some(Self { walk, still, forces })
    }

    /// Writes the files under names of another laboratory and reads them.
    pub fn read(&self, name: &str) -> Result<Trial, GaitError> {
        let folder = scratch(name);
        write_trc(&self.walk, &folder.join("Gang 03.trc")).unwrap();
        write_trc(&self.still, &folder.join("Static_cal.trc")).unwrap();
        write_storage(&self.forces, &folder.join("gang 03_forces.mot")).unwrap();
        let files = TrialFiles::find(&folder.join("Gang 03.trc")).unwrap();
        assert!(files.still.is_some() && files.forces.is_some(), "{files:?}");
        let found = Trial::read(&files);
        std::fs::remove_dir_all(folder).unwrap();
        found
    }

    /// Examines them.
    pub fn examine(&self, name: &str) -> Result<Findings, GaitError> {
        self.read(name).and_then(|trial| examine(&trial, &Known::default()))
    }

    pub fn map_markers(&mut self, map: impl Fn([f64; 3], f64) -> [f64; 3]) {
        for trc in [&mut self.walk, &mut self.still] {
            let count = trc.markers.len();
            for (i, p) in trc.positions.iter_mut().enumerate() {
                *p = map(*p, trc.times[i / count]);
            }
        }
    }

    /// Maps every group of three columns of the forces.
    pub fn map_forces(&mut self, map: impl Fn([f64; 3]) -> [f64; 3]) {
        let width = self.forces.labels.len();
        for row in self.forces.values.chunks_exact_mut(width) {
            for three in row[1..].chunks_exact_mut(3) {
                three.copy_from_slice(&map([three[0], three[1], three[2]]));
            }
        }
    }

    pub fn turn(&mut self, map: impl Fn([f64; 3]) -> [f64; 3]) {
        self.map_markers(|p, _| map(p));
        self.map_forces(map);
    }
}
