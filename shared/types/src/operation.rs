//! The nine operations, their prices, and the closed sets of their parameters.

use crate::WireEnum;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// One of the nine extraction operations. The word is the path below `/v1/`.
    pub enum Operation {
        /// One section of the page as a self-contained component.
        Code = "code",
        /// Curated brand identity.
        Brand = "brand",
        /// The full design-token system.
        Extract = "extract",
        /// Every image the page declares.
        Images = "images",
        /// Inline SVGs as code and external `.svg` files as URLs.
        Svg = "svg",
        /// Video files, social video tags and player embeds.
        Videos = "videos",
        /// Audio files, social audio tags and podcast enclosures.
        Audio = "audio",
        /// Lottie animations as standard Lottie JSON.
        Lottie = "lottie",
        /// Every font-face declaration the site loads.
        Fonts = "fonts",
    }
}

/// Surcharge of `render=true` on the price of any operation.
pub const RENDER_SURCHARGE: u32 = 5;

impl Operation {
    /// Returns the credits for one fresh, successful static call.
    pub fn credits(self) -> u32 {
        match self {
            Self::Images | Self::Svg | Self::Videos | Self::Audio => 1,
            Self::Lottie => 3,
            Self::Fonts => 5,
            Self::Extract => 10,
            Self::Brand => 15,
            Self::Code => 25,
        }
    }

    /// Returns the credits for one call, with the surcharge if the caller requested a browser: a browser fallback that
    /// nobody requested has none.
    pub fn price(self, render: bool) -> u32 {
        self.credits() + if render { RENDER_SURCHARGE } else { 0 }
    }

    /// Returns the names that the `fields` parameter may list. `url`, `usage`, `hint` and `screenshot` are always kept.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Code => &[
                "code",
                "css",
                "preview",
                "tokens",
                "theme",
                "assets",
                "selector",
                "autoDetected",
                "sections",
                "framework",
                "files",
            ],
            Self::Brand => &[
                "title",
                "description",
                "siteName",
                "themeColor",
                "theme",
                "colors",
                "colorNames",
                "palette",
                "fonts",
                "typography",
                "logo",
                "logos",
                "ogImage",
                "socials",
                "confidence",
            ],
            Self::Extract => &[
                "colors",
                "fontSizes",
                "fontFamilies",
                "fontWeights",
                "letterSpacings",
                "borderRadiuses",
                "boxShadows",
                "lineHeights",
                "zIndexes",
                "spacing",
                "gradients",
                "durations",
                "easings",
                "textShadows",
                "borderWidths",
                "opacities",
                "breakpoints",
                "colorSchemes",
            ],
            Self::Images => &["images", "count"],
            Self::Svg => &["svgs", "count"],
            Self::Videos => &["videos", "count"],
            Self::Audio => &["audio", "count"],
            Self::Lottie => &["lottie", "count"],
            Self::Fonts => &["fonts", "families", "count"],
        }
    }

    /// Returns the operation with that path segment.
    pub fn from_path(segment: &str) -> Option<Self> {
        Self::parse(segment)
    }
}

wire_enum! {
    /// The output form of `/code`.
    pub enum Framework {
        /// HTML with Tailwind CSS v4 utilities.
        Tailwind = "tailwind",
        /// HTML with a companion stylesheet.
        Html = "html",
        /// A React component.
        Jsx = "jsx",
        /// A Vue single-file component.
        Vue = "vue",
        /// An importable Elementor template.
        Elementor = "elementor",
        /// A Shopify theme section.
        Shopify = "shopify",
    }
}

wire_enum! {
    /// The language of a component's code.
    pub enum CodeLanguage {
        /// JavaScript.
        Js = "js",
        /// TypeScript that passes its strict checks.
        Ts = "ts",
    }
}

wire_enum! {
    /// The part of a page that `/code` returns.
    pub enum CodeScope {
        /// One section.
        Section = "section",
        /// The whole page: its sections, and what composes them.
        Page = "page",
    }
}

wire_enum! {
    /// A part of a page that callers can name without seeing its markup.
    pub enum SectionRole {
        /// Headline, copy and call to action.
        Hero = "hero",
        /// The site header.
        Header = "header",
        /// The site footer.
        Footer = "footer",
        /// Plans and prices.
        Pricing = "pricing",
        /// Feature list.
        Features = "features",
        /// Quotes of customers.
        Testimonials = "testimonials",
        /// Questions and answers.
        Faq = "faq",
        /// Closing call to action.
        Cta = "cta",
    }
}

wire_enum! {
    /// A colour theme.
    pub enum Theme {
        /// Dark text on a light background.
        Light = "light",
        /// Light text on a dark background.
        Dark = "dark",
    }
}

wire_enum! {
    /// The output form of `/extract`.
    pub enum TokenFormat {
        /// The token object.
        Json = "json",
        /// A `:root` block of custom properties.
        Css = "css",
        /// A Tailwind v4 theme block.
        Tailwind = "tailwind",
        /// A W3C Design Tokens file.
        Dtcg = "dtcg",
        /// A resolver document of the W3C Design Tokens, with the themes as contexts.
        DtcgResolver = "dtcg-resolver",
        /// A DESIGN.md file.
        DesignMd = "design-md",
    }
}

wire_enum! {
    /// The values in a result of `/extract`.
    pub enum TokenScope {
        /// Those of the stylesheets, whether an element has them or not.
        Sheet = "sheet",
        /// Those that elements of the page have, and those of custom properties on the root.
        Page = "page",
    }
}

wire_enum! {
    /// The parts of a result of `/brand`.
    pub enum BrandScope {
        /// The identity of the site.
        Usual = "brand",
        /// Also the colours of each scheme, a report of contrast, and components with their states.
        All = "all",
    }
}

impl TokenFormat {
    /// Returns the media type of a response in this form.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json | Self::Dtcg | Self::DtcgResolver => "application/json",
            Self::DesignMd => "text/markdown; charset=utf-8",
            Self::Css => "text/css; charset=utf-8",
            Self::Tailwind => "text/plain; charset=utf-8",
        }
    }

    /// Returns the name under which a result in this form is saved. `.tokens.json` is the extension that the Design
    /// Tokens Format Module recommends.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Json => "tokens.json",
            Self::Css => "tokens.css",
            Self::Tailwind => "tailwind.css",
            Self::Dtcg => "design.tokens.json",
            Self::DtcgResolver => "design.resolver.json",
            Self::DesignMd => "DESIGN.md",
        }
    }
}

wire_enum! {
    /// The part of the page that a screenshot shows.
    pub enum Screenshot {
        /// The 1440×900 viewport (`screenshot=true`).
        Viewport = "true",
        /// The whole height of the page.
        Full = "full",
    }
}
