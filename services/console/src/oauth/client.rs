//! OAuth clients: identified by a metadata document at a URL of theirs, or by registration (RFC 7591).

use super::client_metadata;
use crate::error::Fault;
use crate::rate_limit;
use crate::state::AppState;

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

impl AppState {
    /// Returns the client with an id, for a signed-in user.
    ///
    /// # Errors
    /// There is no such client, its document is invalid, or the account has requested too many documents.
    pub(crate) async fn client(&self, account_id: &str, client_id: &str) -> Result<Client, Fault> {
        if client_metadata::is_address(client_id) {
            if let Some(client) = self.documents.cached_client(client_id).await {
                return Ok(client);
            }
            self.throttle(rate_limit::CLIENT_DOCUMENTS, account_id).await?;
            return self.documents.fetch(client_id).await.map_err(Fault::Invalid);
        }
        let registered = self.registered_client(client_id).await?;
        registered.ok_or_else(|| Fault::Invalid("There is no such client. It may have to register again.".to_owned()))
    }

    /// Returns the client that registered under an id.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn registered_client(&self, client_id: &str) -> Result<Option<Client>, Fault> {
        const SQL: &str = "SELECT id, name, redirect_uris, coalesce(last_used_at < now() - interval '1 day', true) AS stale \
                           FROM console.client WHERE id = $1";
        const UPDATE_LAST_USED: &str = "UPDATE console.client SET last_used_at = now() WHERE id = $1";
        let Some(row) = self.store.query_opt(SQL, &[&client_id]).await? else { return Ok(None) };
        if row.get("stale") {
            self.store.query(UPDATE_LAST_USED, &[&client_id]).await?;
        }
        Ok(Some(Client {
            id: row.get("id"),
            name: row.get("name"),
            redirect_uris: row.get("redirect_uris"),
            identity: ClientIdentity::Registered,
        }))
    }
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
