//! All runs of a study that have no row yet, on all threads.
//!
//! A row depends on its run alone, so that the rows are the same whatever the number of threads, the order in which
//! they come, and how often the sweep was ended and taken up again. The table is written when the last row is there.

use crate::error::{Result, SweepError};
use crate::log::{Log, Row};
use crate::session::{Standing, StopRequest, Watcher};
use crate::study::Study;
use crate::table::write_table;
use rattleback_record::WholeFile;
use rattleback_scene::Format;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The name of the table.
const TABLE: &str = "rows.parquet";
/// The name of the scene as it is run, but for its parameters.
const SCENE: &str = "scene.toml";
/// Each thread has a stack, and a machine that is asked for many thousands may come to a halt.
const MOST_THREADS: usize = 1024;

/// Who watches a sweep, from several threads at once.
pub trait SweepWatcher: Sync {
    /// A run has its row now; so many of all have.
    fn row(&self, _row: &Row, _done: usize, _runs: usize) {}

    /// What is asked of the sweep; runs under way are abandoned, and made again when it is taken up.
    fn stop_request(&self) -> StopRequest {
        StopRequest::GoOn
    }
}

/// Nobody watches.
impl SweepWatcher for () {}

/// A sweep in its folder.
#[derive(Debug)]
pub struct Sweep {
    study: Arc<Study>,
    folder: PathBuf,
    log: Mutex<Log>,
}

struct Stoppable<'w>(&'w dyn SweepWatcher);

impl Watcher for Stoppable<'_> {
    fn steps(&mut self, _: &Standing) {}

    fn stop_request(&self) -> StopRequest {
        match self.0.stop_request() {
            StopRequest::GoOn => StopRequest::GoOn,
            _ => StopRequest::StopNow,
        }
    }
}

impl Sweep {
    /// Opens the folder of a sweep, new or begun before.
    pub fn open(study: Arc<Study>, folder: &Path) -> Result<Self> {
        let log = Log::open(folder, study.header()?)?;
        let scene = folder.join(SCENE);
        if !scene.exists() {
            WholeFile::write(&scene, study.sweepable().text.as_bytes())?;
        }
        Ok(Self { study, folder: folder.to_owned(), log: Mutex::new(log) })
    }

    /// Makes the runs that have no row yet, on that many threads, 1024 at most, or one for each core where it is zero;
    /// writes the table. [`SweepError::Stopped`] where it was stopped.
    pub fn run(&self, threads: usize, format: &Format, watcher: &dyn SweepWatcher) -> Result<()> {
        let missing = self.with_log(|log| Ok(log.missing()))?;
        // More threads than runs and processors would have nothing to do.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(missing.len().max(processors)).min(MOST_THREADS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| SweepError::Threads { reason: error.to_string() })?;
        pool.install(|| {
            missing.par_iter().with_max_len(1).try_for_each(|&run| {
                if watcher.stop_request() != StopRequest::GoOn {
                    return Err(SweepError::Stopped);
                }
                match self.study.run(run, format, &mut Stoppable(watcher))? {
                    Some(row) => self.add(row, watcher),
                    None => Err(SweepError::Stopped),
                }
            })
        })?;
        self.finish().map(|_| ())
    }

    /// Adds a row that was made elsewhere.
    pub fn add(&self, row: Row, watcher: &dyn SweepWatcher) -> Result<()> {
        let (shown, runs) = (row.clone(), self.study.runs());
        let (is_new, done) = self.with_log(|log| Ok((log.add(row)?, log.done())))?;
        if is_new {
            watcher.row(&shown, done, runs);
        }
        Ok(())
    }

    /// Which runs have no row yet.
    pub fn missing(&self) -> Result<Vec<usize>> {
        self.with_log(|log| Ok(log.missing()))
    }

    /// The rows there are, in the order of the runs.
    pub fn rows(&self) -> Result<Vec<Row>> {
        self.with_log(|log| Ok(log.rows().cloned().collect()))
    }

    /// Writes the table where all rows are there; says where it is.
    pub fn finish(&self) -> Result<Option<PathBuf>> {
        let rows = self.with_log(|log| {
            log.sync()?;
            Ok((log.done() == self.study.runs()).then(|| log.rows().cloned().collect::<Vec<_>>()))
        })?;
        let Some(rows) = rows else { return Ok(None) };
        let path = self.folder.join(TABLE);
        write_table(&path, &self.study, &rows)?;
        Ok(Some(path))
    }

    fn with_log<T>(&self, act: impl FnOnce(&mut Log) -> Result<T>) -> Result<T> {
        // A thread that panicked while it held the log left whole lines.
        act(&mut self.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}
