//! Collects the assets that a component refers to.

use limner_assets::image_references::srcset;
use limner_component_model::html_syntax::{escape_attribute, escape_text};
use limner_component_model::model::{Child, Component, Element, ElementId, Namespace};
use limner_page::NodeId;
use limner_page_view::PageView;
use limner_style::StyleIndex;
use limner_types::result::{CodeAssets, FileAsset, FontAsset, ImageAsset, SvgAsset};
use std::collections::HashSet;

/// Returns the distinct assets of a section and of its component.
pub(super) fn collect_assets(
    view: &PageView<'_>,
    section: NodeId,
    component: &Component,
    index: &StyleIndex<'_>,
) -> CodeAssets {
    let drawn = component.elements.iter().filter(|element| element.namespace == Namespace::Svg);
    let inner = drawn.flat_map(|element| &element.children).filter_map(|child| match child {
        Child::Element(id) => Some(*id),
        Child::Text(_) => None,
    });
    let mut gather = AssetCollector { inner: inner.collect(), ..AssetCollector::default() };
    for (at, element) in component.elements.iter().enumerate() {
        gather.element(component, ElementId(at), element);
        let declarations = element.rules.iter().flat_map(|rule| &rule.declarations);
        declarations.for_each(|declaration| gather.style(&declaration.value));
    }
    for face in &component.font_faces {
        gather.font(&face.family, &face.descriptors);
    }
    let animations = limner_assets::lottie::files_in(view, section).into_iter();
    gather.assets.lottie = animations.map(|url| FileAsset { url: url.into() }).collect();
    let sheets = index.sheets().iter().filter_map(|sheet| sheet.href.as_deref());
    let mut seen = HashSet::new();
    gather.assets.stylesheets = sheets.filter(|sheet| seen.insert(*sheet)).map(str::to_owned).collect();
    gather.assets
}

#[derive(Default)]
struct AssetCollector {
    assets: CodeAssets,
    seen_urls: HashSet<String>,
    /// Elements inside inline SVG.
    inner: HashSet<ElementId>,
}

impl AssetCollector {
    fn element(&mut self, component: &Component, id: ElementId, element: &Element) {
        let get = |name: &str| element.attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str());
        if element.namespace == Namespace::Svg {
            match element.tag.as_str() {
                "svg" => self.drawing(component, id),
                "image" | "feImage" => self.image(get("href").or(get("xlink:href")), None),
                _ => {}
            }
            return;
        }
        match element.tag.as_str() {
            "img" => {
                self.image(get("src"), get("alt"));
                self.set(get("srcset"), get("alt"));
            }
            "input" => self.image(get("src"), get("alt")),
            "source" if get("srcset").is_some() => self.set(get("srcset"), None),
            "video" | "source" => {
                self.image(get("poster"), None);
                let is_sound = get("type").is_some_and(|kind| kind.starts_with("audio/"));
                if let Some(url) =
                    get("src").map(file).filter(|url| !is_sound && self.seen_urls.insert((*url).to_owned()))
                {
                    self.assets.videos.push(FileAsset { url: url.to_owned() });
                }
            }
            _ => {}
        }
    }

    fn set(&mut self, srcset: Option<&str>, alt: Option<&str>) {
        for candidate in srcset::parse(srcset.unwrap_or_default()) {
            self.image(Some(candidate.url), alt);
        }
    }

    fn image(&mut self, url: Option<&str>, alt: Option<&str>) {
        let Some(url) = url.filter(|url| !url.starts_with('#') && !url.is_empty()).map(file) else { return };
        if !self.seen_urls.insert(url.to_owned()) {
            return;
        }
        let path = url.split(['?', '#']).next().unwrap_or(url);
        if path.to_ascii_lowercase().ends_with(".svg") {
            return self.assets.svgs.push(SvgAsset::File { url: url.to_owned() });
        }
        let alt = alt.map(str::trim).filter(|alt| !alt.is_empty()).map(str::to_owned);
        self.assets.images.push(ImageAsset { url: url.to_owned(), alt });
    }

    /// Collects the URLs in a value.
    fn style(&mut self, value: &str) {
        for rest in value.split("url(\"").skip(1) {
            let address = rest.split('"').next().unwrap_or_default();
            self.image(Some(address), None);
        }
    }

    fn font(&mut self, family: &str, descriptors: &[(String, String)]) {
        let get =
            |name: &str| descriptors.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        for source in get("src").unwrap_or_default().split("url(").skip(1) {
            let url = file(source.split(')').next().unwrap_or_default().trim_matches(['"', '\'', ' ']));
            if url.is_empty() || url.starts_with("data:") || !self.seen_urls.insert(url.to_owned()) {
                continue;
            }
            let rest = source.split_once(')').map_or("", |(_, rest)| rest);
            let own = rest.split(',').next().unwrap_or_default();
            let format =
                own.split("format(").nth(1).and_then(|f| f.split(')').next()).map(|f| f.trim_matches(['"', '\'', ' ']));
            let by_name = || {
                let path = url.split(['?', '#']).next().unwrap_or(url);
                path.rsplit_once('.')
                    .map(|(_, extension)| extension)
                    .filter(|e| matches!(*e, "woff2" | "woff" | "ttf" | "otf" | "eot"))
            };
            self.assets.fonts.push(FontAsset {
                family: family.to_owned(),
                url: url.to_owned(),
                weight: get("font-weight").unwrap_or("400").to_owned(),
                style: get("font-style").unwrap_or("normal").to_owned(),
                format: format.or_else(by_name).map(str::to_owned),
            });
        }
    }

    /// Collects an inline SVG.
    fn drawing(&mut self, component: &Component, root: ElementId) {
        if self.inner.contains(&root) {
            return;
        }
        let code = drawing(component, root);
        if self.seen_urls.insert(code.clone()) {
            self.assets.svgs.push(SvgAsset::Inline { code });
        }
    }
}

/// Returns a URL without its fragment. The `#` in a `data:` URL starts none.
fn file(url: &str) -> &str {
    if url.starts_with("data:") { url } else { url.split('#').next().unwrap_or(url) }
}

/// Returns the standalone markup of an inline SVG.
fn drawing(component: &Component, root: ElementId) -> String {
    enum WorkItem<'c> {
        Open(ElementId),
        Text(&'c str),
        Close(&'c str),
    }
    let mut out = String::new();
    let mut steps = vec![WorkItem::Open(root)];
    while let Some(step) = steps.pop() {
        match step {
            WorkItem::Text(text) => out.push_str(&escape_text(text)),
            WorkItem::Close(tag) => out.push_str(&format!("</{tag}>")),
            WorkItem::Open(id) => {
                let element = &component.elements[id.0];
                out.push_str(&format!("<{}", element.tag));
                if id == root {
                    out.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
                }
                for attribute in &element.attributes {
                    out.push_str(&format!(" {}=\"{}\"", attribute.name, escape_attribute(&attribute.value)));
                }
                out.push_str(if element.children.is_empty() { "/>" } else { ">" });
                if !element.children.is_empty() {
                    steps.push(WorkItem::Close(&element.tag));
                }
                steps.extend(element.children.iter().rev().map(|child| match child {
                    Child::Element(child) => WorkItem::Open(*child),
                    Child::Text(text) => WorkItem::Text(text),
                }));
            }
        }
    }
    out
}
