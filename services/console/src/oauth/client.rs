//! OAuth clients: identified by a metadata document at a URL of theirs, or by registration (RFC 7591).

const MAX_NAME_CHARACTERS: usize = 80;

/// A client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) id: String,
    /// Name that the client gives itself, which is not verified.
    pub(crate) name: String,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) identity: ClientIdentity,
}

/// The verified part of a client's identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClientIdentity {
    /// The client's metadata document was read from this host.
    Document {
        /// Host of the client id.
        host: String,
    },
    /// Nothing is verified: the client registered itself.
    Registered,
}

/// Sanitizes a client's name for display: removes invisible and bidirectional control characters, and limits its
/// length.
pub(crate) fn display_name(given: Option<&str>) -> Option<String> {
    let shows = |character: char| {
        let is_hidden = matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        );
        !character.is_control() && !is_hidden
    };
    let text: String = given?.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|&c| shows(c)).collect();
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(MAX_NAME_CHARACTERS).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_names_are_sanitized() {
        for (given, shown) in [
            (Some(" Claude  Code\n"), Some("Claude Code")),
            (Some("Lim\u{200b}ner \u{202e}elosnoC"), Some("Limner elosnoC")),
            (Some("\u{feff}\u{3164}"), None),
            (Some("<b>x</b>"), Some("<b>x</b>")),
            (None, None),
        ] {
            assert_eq!(display_name(given).as_deref(), shown, "{given:?}");
        }
        assert_eq!(display_name(Some(&"x".repeat(500))).unwrap().len(), MAX_NAME_CHARACTERS);
    }
}
