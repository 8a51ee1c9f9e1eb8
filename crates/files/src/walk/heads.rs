//! Reading the beginnings of many files at once, for the metadata that stands there.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Found, SkillRoot, THREADS, WORTH_A_THREAD};
use crate::beneath::regular;
use crate::error::{FileError, Operation};

impl SkillRoot {
    /// Reads the first `bytes` of every file that was found here, on two threads when there are
    /// many, and gives each with its index in `found` to `each`, in any order.
    pub fn read_heads(
        &self,
        found: &[Found],
        bytes: usize,
        each: impl Fn(usize, Result<&[u8], FileError>) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut buffer = vec![0; bytes];
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = found.get(index) else { return };
                each(index, self.read_head(one, &mut buffer));
            }
        };
        thread::scope(|scope| {
            if found.len() >= WORTH_A_THREAD {
                for _ in 1..THREADS {
                    scope.spawn(work);
                }
            }
            work();
        });
    }

    fn read_head<'a>(&self, found: &Found, buffer: &'a mut [u8]) -> Result<&'a [u8], FileError> {
        let (file, metadata) = regular(self.open_found(found)?, &found.file)?;
        let wanted = usize::try_from(metadata.len()).unwrap_or(usize::MAX).min(buffer.len());
        let read =
            fill(&file, buffer, wanted).map_err(FileError::io(Operation::Read, &found.file))?;
        Ok(buffer.get(..read).unwrap_or_default())
    }
}

fn fill(file: &File, buffer: &mut [u8], wanted: usize) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < wanted {
        let Some(rest) = buffer.get_mut(filled..wanted) else { break };
        let offset = u64::try_from(filled).unwrap_or(u64::MAX);
        match file.read_at(rest, offset) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
