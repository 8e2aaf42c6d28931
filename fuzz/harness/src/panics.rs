//! Panics caught, with the place where they happened.

use crate::finding::{Fault, Finding};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, Once, PoisonError};

thread_local! {
    /// Whether panics of this thread are caught here and not to be printed.
    static CAUGHT: RefCell<bool> = const { RefCell::new(false) };
}

/// Where the last panic happened and what it said, whichever thread it was in.
static LAST: Mutex<Option<String>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// What a function returns, or where it panicked.
pub fn caught<T>(function: impl FnOnce() -> T) -> Result<T, Finding> {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let place = info.location().map_or_else(|| "somewhere".to_owned(), |at| at.to_string());
            let payload = info.payload();
            let said = payload.downcast_ref::<&str>().copied();
            let said =
                said.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{place}: {said}"));
            if !CAUGHT.with_borrow(|caught| *caught) {
                before(info);
            }
        }));
    });
    CAUGHT.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(function));
    CAUGHT.set(false);
    outcome.map_err(|_| {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        Finding::new(Fault::Panic, last.unwrap_or_else(|| "somewhere: no message".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place_and_its_words() {
        let finding = caught(|| panic!("index {} of {}", 3, 2)).expect_err("a panic");
        assert_eq!(finding.fault, Fault::Panic);
        assert!(
            finding.message.contains("panics.rs:") && finding.message.ends_with("index 3 of 2"),
            "{finding}"
        );
        assert_eq!(caught(|| 3), Ok(3));
    }
}
