//! Where a result's text says that its output went (ruling 46).

use memchr::memmem;

use crate::decode::content::result_text;
use crate::facts::words::trim;
use crate::fold::Folder;
use crate::record::Block;
use crate::strings::Symbol;

/// Begins a result's text that stands in a file of its own.
const PERSISTED: &str = "<persisted-output>";

impl Folder {
    /// The path in a result's text: some where the text begins with the marker,
    /// none inside where no path follows. A field of the record may still be
    /// the better evidence.
    pub(super) fn persisted_in_text(&mut self, block: &Block<'_>) -> Option<Symbol> {
        let json = block.result.json;
        // A prefilter: it lets escapes through, which may spell the marker too.
        let may_be = |json: &str| {
            let find = |needle: &str| memmem::find(json.as_bytes(), needle.as_bytes()).is_some();
            find("persisted-output") || find("\\u")
        };
        if !self.wanted.further || !may_be(json) {
            return None;
        }
        let text = result_text(&block.result)?;
        let text = trim(&text);
        let path = text.starts_with(PERSISTED).then(|| path_behind(text))?;
        Some(path.map_or(Symbol::NONE, |path| self.facts.strings.intern(path)))
    }
}

/// What follows the first `saved to: ` up to the end of its line.
fn path_behind(text: &str) -> Option<&str> {
    const SAVED: &str = "saved to: ";
    let start = text.find(SAVED)? + SAVED.len();
    let rest = &text[start..];
    Some(trim(rest.split('\n').next().unwrap_or_default()))
}
