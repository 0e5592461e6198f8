//! Conversion between [`v1::PageSnapshot`] and the core's snapshot.

use crate::v1;
use limner_page::snapshot::{Degradation, ImportedSheet, PageSnapshot, ReadMethod, Resource, SheetOwner, Stylesheet};
use limner_types::Theme;

impl From<PageSnapshot> for v1::PageSnapshot {
    fn from(page: PageSnapshot) -> Self {
        Self {
            requested_url: page.requested_url,
            url: page.url,
            status: u32::from(page.status),
            content_type: page.content_type,
            html: page.html,
            sheets: page.sheets.into_iter().map(Into::into).collect(),
            imports: page.imports.into_iter().map(|(url, sheet)| (url, sheet.into())).collect(),
            resources: page.resources.into_iter().map(|(url, resource)| (url, resource.into())).collect(),
            network: page.network,
            read_by: read_by_to_wire(page.read_by).into(),
            degradation: page.degradation.map_or(v1::Degradation::Unspecified, degradation_to_wire).into(),
            screenshot: page.screenshot,
            truncated: page.truncated,
            theme: page.theme.map_or(v1::Theme::Unspecified, theme_to_wire).into(),
            encoding: page.encoding,
            screenshot_cut: page.screenshot_cut,
        }
    }
}

impl From<v1::PageSnapshot> for PageSnapshot {
    fn from(page: v1::PageSnapshot) -> Self {
        let (read_by, degradation, theme) = (page.read_by(), page.degradation(), page.theme());
        Self {
            requested_url: page.requested_url,
            url: page.url,
            status: u16::try_from(page.status).unwrap_or_default(),
            content_type: page.content_type,
            html: page.html,
            sheets: page.sheets.into_iter().map(Into::into).collect(),
            imports: page.imports.into_iter().map(|(url, sheet)| (url, sheet.into())).collect(),
            resources: page.resources.into_iter().map(|(url, resource)| (url, resource.into())).collect(),
            network: page.network,
            read_by: read_by_from_wire(read_by),
            degradation: degradation_from_wire(degradation),
            screenshot: page.screenshot,
            truncated: page.truncated,
            theme: theme_from_wire(theme),
            encoding: page.encoding,
            screenshot_cut: page.screenshot_cut,
        }
    }
}

fn theme_to_wire(theme: Theme) -> v1::Theme {
    match theme {
        Theme::Light => v1::Theme::Light,
        Theme::Dark => v1::Theme::Dark,
    }
}

fn theme_from_wire(theme: v1::Theme) -> Option<Theme> {
    match theme {
        v1::Theme::Unspecified => None,
        v1::Theme::Light => Some(Theme::Light),
        v1::Theme::Dark => Some(Theme::Dark),
    }
}

fn read_by_to_wire(read_by: ReadMethod) -> v1::ReadBy {
    match read_by {
        ReadMethod::Static => v1::ReadBy::Static,
        ReadMethod::Browser => v1::ReadBy::Browser,
        ReadMethod::BrowserFallback => v1::ReadBy::BrowserFallback,
    }
}

fn read_by_from_wire(read_by: v1::ReadBy) -> ReadMethod {
    match read_by {
        v1::ReadBy::Unspecified | v1::ReadBy::Static => ReadMethod::Static,
        v1::ReadBy::Browser => ReadMethod::Browser,
        v1::ReadBy::BrowserFallback => ReadMethod::BrowserFallback,
    }
}

fn degradation_to_wire(degradation: Degradation) -> v1::Degradation {
    match degradation {
        Degradation::ClientRendered => v1::Degradation::ClientRendered,
        Degradation::MissingStyles => v1::Degradation::MissingStyles,
        Degradation::MissingFiles => v1::Degradation::MissingFiles,
        Degradation::Truncated => v1::Degradation::Truncated,
        Degradation::Interrupted => v1::Degradation::Interrupted,
    }
}

fn degradation_from_wire(degradation: v1::Degradation) -> Option<Degradation> {
    match degradation {
        v1::Degradation::Unspecified => None,
        v1::Degradation::ClientRendered => Some(Degradation::ClientRendered),
        v1::Degradation::MissingStyles => Some(Degradation::MissingStyles),
        v1::Degradation::MissingFiles => Some(Degradation::MissingFiles),
        v1::Degradation::Truncated => Some(Degradation::Truncated),
        v1::Degradation::Interrupted => Some(Degradation::Interrupted),
    }
}

impl From<Stylesheet> for v1::Sheet {
    fn from(sheet: Stylesheet) -> Self {
        let owner = match sheet.owner {
            SheetOwner::Link => v1::SheetOwner::Link,
            SheetOwner::Style => v1::SheetOwner::Style,
            SheetOwner::Adopted => v1::SheetOwner::Adopted,
        };
        Self {
            owner: owner.into(),
            element: sheet.element,
            href: sheet.href,
            base_url: sheet.base_url,
            media: sheet.media,
            alternate: sheet.alternate,
            text: sheet.text,
        }
    }
}

impl From<v1::Sheet> for Stylesheet {
    fn from(sheet: v1::Sheet) -> Self {
        let owner = match sheet.owner() {
            v1::SheetOwner::Unspecified | v1::SheetOwner::Link => SheetOwner::Link,
            v1::SheetOwner::Style => SheetOwner::Style,
            v1::SheetOwner::Adopted => SheetOwner::Adopted,
        };
        Self {
            owner,
            element: sheet.element,
            href: sheet.href,
            base_url: sheet.base_url,
            media: sheet.media,
            alternate: sheet.alternate,
            text: sheet.text,
        }
    }
}

impl From<ImportedSheet> for v1::ImportedSheet {
    fn from(sheet: ImportedSheet) -> Self {
        Self { base_url: sheet.base_url, text: sheet.text }
    }
}

impl From<v1::ImportedSheet> for ImportedSheet {
    fn from(sheet: v1::ImportedSheet) -> Self {
        Self { base_url: sheet.base_url, text: sheet.text }
    }
}

impl From<Resource> for v1::Resource {
    fn from(resource: Resource) -> Self {
        Self {
            url: resource.url,
            status: u32::from(resource.status),
            content_type: resource.content_type,
            body: resource.body.into(),
            truncated: resource.truncated,
            charset: resource.charset,
        }
    }
}

impl From<v1::Resource> for Resource {
    fn from(resource: v1::Resource) -> Self {
        Self {
            url: resource.url,
            status: u16::try_from(resource.status).unwrap_or_default(),
            content_type: resource.content_type,
            body: resource.body.into(),
            truncated: resource.truncated,
            charset: resource.charset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshot_round_trips() {
        let page = PageSnapshot {
            requested_url: "https://a.com/".to_owned(),
            url: "https://a.com/b".to_owned(),
            status: 200,
            content_type: "text/html".to_owned(),
            html: "<p>é".to_owned(),
            sheets: vec![
                Stylesheet {
                    element: Some(0),
                    text: None,
                    alternate: true,
                    media: "print".to_owned(),
                    ..Stylesheet::default()
                },
                Stylesheet { owner: SheetOwner::Adopted, text: Some("a{}".to_owned()), ..Stylesheet::default() },
            ],
            imports: [(
                "https://a.com/i.css".to_owned(),
                ImportedSheet { base_url: "b".to_owned(), text: "c".to_owned() },
            )]
            .into(),
            resources: [(
                "https://a.com/m".to_owned(),
                Resource {
                    status: 200,
                    charset: Some("gbk".to_owned()),
                    body: vec![1, 2],
                    truncated: true,
                    ..Resource::default()
                },
            )]
            .into(),
            network: [("https://a.com/n".to_owned(), "font/woff2".to_owned())].into(),
            read_by: ReadMethod::BrowserFallback,
            degradation: Some(Degradation::MissingStyles),
            screenshot: Some("s".to_owned()),
            truncated: true,
            theme: Some(Theme::Dark),
            encoding: "gbk".to_owned(),
            screenshot_cut: true,
        };
        assert_eq!(PageSnapshot::from(v1::PageSnapshot::from(page.clone())), page);
    }
}
