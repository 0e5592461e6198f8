//! Recognises buttons that lead to another platform in the colour of that platform: a chat, a profile. Unlike the names of
//! classes, the address and the fill together leave no doubt.

use super::color::Rgba;
use super::rendered_page::{RenderedPage, VisibleElement};
use limner_page::NodeId;
use limner_page::site::registrable_domain;
use limner_style::property::Longhand;

/// Domains of platforms, and the colours of their buttons.
const PLATFORMS: &[(&[&str], &[u32])] = &[
    (&["wa.me", "whatsapp.com"], &[0x25d366, 0x128c7e, 0x075e54, 0x1ebea5, 0x4dc247]),
    (&["t.me", "telegram.me", "telegram.org"], &[0x0088cc, 0x229ed9, 0x26a5e4, 0x24a1de, 0x2aabee]),
    (&["m.me", "messenger.com"], &[0x0084ff, 0x006aff, 0x00b2ff]),
    (&["facebook.com", "fb.com"], &[0x1877f2, 0x3b5998, 0x4267b2, 0x0866ff]),
    (&["line.me", "lin.ee"], &[0x06c755, 0x00b900, 0x00c300]),
    (&["viber.com"], &[0x7360f2, 0x665cac, 0x59267c]),
    (&["zalo.me"], &[0x0068ff]),
    (&["instagram.com"], &[0xe1306c, 0xc13584, 0xe4405f]),
    (&["linkedin.com"], &[0x0a66c2, 0x0077b5]),
    (&["youtube.com", "youtu.be"], &[0xff0000, 0xcd201f]),
    (&["discord.gg", "discord.com"], &[0x5865f2, 0x7289da]),
    (&["twitter.com", "x.com"], &[0x1da1f2, 0x55acee]),
];

/// Maximum distance of a fill from the platform's colour.
const MAX_DISTANCE: f64 = 0.04;
/// Maximum number of elements from the fill to the link.
const LEVELS: usize = 3;

/// Returns true for the fill of a link to a platform in one of its colours. On the platform's own pages they are its own.
pub(super) fn is_platform_button(page: &RenderedPage<'_>, seen: &VisibleElement) -> bool {
    let Some(fill) = seen.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 100 && !shade.is_grey())
    else {
        return false;
    };
    let Some(domain) = target_domain(page, seen.node) else { return false };
    if registrable_domain(&page.view.url).as_deref() == Some(&domain) {
        return false;
    }
    let known = PLATFORMS.iter().find(|(domains, _)| domains.contains(&domain.as_str()));
    let shade = |number: &u32| {
        let [_, red, green, blue] = number.to_be_bytes();
        Rgba::from_rgb([red, green, blue])
    };
    known.is_some_and(|(_, colors)| colors.iter().any(|color| shade(color).distance(fill) < MAX_DISTANCE))
}

/// Returns the registrable domain to which the element or the link around it leads.
fn target_domain(page: &RenderedPage<'_>, node: NodeId) -> Option<String> {
    let document = &page.view.document;
    let around = std::iter::once(node).chain(document.ancestors(node)).take(LEVELS);
    let href = around.filter_map(|node| document.element(node)).find(|e| e.is_html("a"))?.attr("href")?;
    let url = page.view.resolve(href)?;
    match url.scheme() {
        "whatsapp" => Some("whatsapp.com".to_owned()),
        "viber" => Some("viber.com".to_owned()),
        "tg" => Some("t.me".to_owned()),
        _ => registrable_domain(&url),
    }
}
