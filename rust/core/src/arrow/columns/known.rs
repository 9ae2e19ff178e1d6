//! Words of a dictionary whose codes are known without a look at their text.

use crate::strings::{Interner, Symbol};

/// Codes of the words that were seen first. They are told by where they stand, as
/// those of a vocabulary are the same ones in row after row.
#[derive(Default)]
pub(super) struct KnownWords<'t>(Vec<(&'t str, Symbol)>);

impl<'t> KnownWords<'t> {
    const MOST: usize = 8;

    /// The code of a word, which becomes one of `names`.
    #[inline]
    pub(super) fn code(&mut self, text: Option<&'t str>, names: &mut Interner) -> Symbol {
        let Some(text) = text else { return Symbol::NONE };
        if let Some((_, code)) = self.0.iter().find(|(known, _)| std::ptr::eq(*known, text)) {
            return *code;
        }
        let code = names.intern(text);
        if self.0.len() < Self::MOST {
            self.0.push((text, code));
        }
        code
    }
}

/// Codes of the symbols that were seen last, so that few words are looked up.
pub(super) struct KnownSymbols([(Symbol, Symbol); 64]);

impl Default for KnownSymbols {
    fn default() -> Self {
        Self([(Symbol::NONE, Symbol::NONE); 64])
    }
}

impl KnownSymbols {
    /// The code of a symbol's string, which becomes one of `names`.
    #[inline]
    pub(super) fn code(
        &mut self,
        symbol: Symbol,
        strings: &Interner,
        names: &mut Interner,
    ) -> Symbol {
        if !symbol.is_some() {
            return Symbol::NONE;
        }
        let place = symbol.index() % self.0.len();
        let (known, code) = &mut self.0[place];
        if *known != symbol {
            (*known, *code) = (symbol, names.intern(strings.text(symbol).unwrap_or_default()));
        }
        *code
    }
}
