//! Disks that a process meets: one with room, one that is full, one that is read-only.
//!
//! The latter are mounted in a namespace of the process alone, by `unshare` of util-linux, so that nothing of them
//! outlives it. Where this is not permitted, a limit on the size of files (`ulimit -f`) stands for a full disk, and
//! none is read-only.

use std::path::Path;
use std::process::{Command, Stdio};

/// What keeps a process from writing.
#[derive(Debug, Clone, Copy)]
pub enum Disk<'f> {
    Roomy,
    /// No file grows beyond so many blocks of 1024 bytes.
    Limited(u64),
    /// The folder, which is there, is on a file system of so many blocks of 1024 bytes.
    Full(&'f Path, u64),
    /// Nothing in the folder can be written.
    ReadOnly(&'f Path),
}

/// The exit code of the scripts below where a disk could not be made.
pub const NO_DISK: i32 = 99;

const LIMITED: &str = "trap '' XFSZ; ulimit -f \"$1\" || exit 99; shift; exec \"$@\"";

const READ_ONLY: &str =
    "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit 99; shift; exec \"$@\"";

/// The folder is kept beside the small file system that hides it, and gets back what is then on that.
const FULL: &str = "\
there=$1; kept=$1.kept; size=$2; shift 2
mkdir -p \"$kept\" && mount --bind \"$there\" \"$kept\" && mount -t tmpfs -o size=\"$size\"k tmpfs \"$there\" || exit 99
cp -a \"$kept/.\" \"$there/\" || exit 99
\"$@\"; code=$?
find \"$kept\" -mindepth 1 -delete && cp -a \"$there/.\" \"$kept/\" && umount \"$kept\" && rmdir \"$kept\" || exit 99
exit $code";

/// How namespaces of mounts are entered.
#[derive(Debug, Clone, Copy)]
pub struct Namespaces(&'static str);

impl Namespaces {
    /// As root, or as somebody who is root in a namespace of users; none where neither may mount.
    pub fn find() -> Option<Self> {
        let may = |flag: &&str| {
            let mut command = Command::new("unshare");
            command.args([flag, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        ["-m", "-rm"].into_iter().find(|flag| may(flag)).map(Self)
    }

    fn shell(self) -> Command {
        let mut command = Command::new("unshare");
        command.args([self.0, "bash"]);
        command
    }
}

impl Disk<'_> {
    /// The command that calls a program on this disk; its arguments come after.
    pub fn command(self, program: &Path, namespaces: Option<Namespaces>) -> Result<Command, String> {
        let inside = || namespaces.map(Namespaces::shell).ok_or("no mounts are permitted");
        let mut command = match self {
            Self::Roomy => return Ok(Command::new(program)),
            Self::Limited(blocks) => {
                let mut command = Command::new("bash");
                command.args(["-c", LIMITED, "bash", &blocks.to_string()]);
                command
            }
            Self::Full(folder, blocks) => {
                let mut command = inside()?;
                command.args(["-c", FULL, "bash"]).arg(folder).arg(blocks.to_string());
                command
            }
            Self::ReadOnly(folder) => {
                let mut command = inside()?;
                command.args(["-c", READ_ONLY, "bash"]).arg(folder);
                command
            }
        };
        command.arg(program);
        Ok(command)
    }
}
