//! Lists keywords of roles, in lower case: in ids and classes, and in visible headings.

/// The keywords of one role.
pub(crate) struct RoleKeywords {
    /// Parts of ids and classes.
    pub(crate) names: &'static [&'static str],
    /// Parts of titles.
    pub(crate) titles: &'static [&'static str],
}

pub(crate) const HEADERS: &[&str] = &["header", "navbar", "topbar", "masthead", "menu", "nav"];

pub(crate) const FOOTERS: &[&str] = &["footer", "colophon", "copyright"];

/// Phrases in footers.
pub(crate) const NOTICE_OF_RIGHTS: &[&str] = &["©", "(c) 20", "all rights reserved", "copyright"];

pub(crate) const HEROES: &[&str] =
    &["hero", "jumbotron", "banner", "intro", "masthead", "lead", "leadin", "cover", "splash"];

/// Cookie banners and the products that show them.
pub(crate) const CONSENT: &[&str] =
    &["cookie", "cookies", "cookieconsent", "cookiebot", "consent", "onetrust", "didomi", "usercentrics", "gdpr"];

/// Parts of the page before its content.
pub(crate) const NOTICES: &[&str] = &["cookie", "consent", "notice", "alert", "modal", "breadcrumb", "breadcrumbs"];

/// Parts of the page beside its content.
pub(crate) const SIDES: &[&str] = &["sidebar", "toc"];

/// First words of names that are about another element or its absence: `has-sidebar`, `no-sidebar`.
pub(crate) const RELATION_PREFIXES: &[&str] = &["has", "no", "with", "without"];

pub(crate) const PRICING: RoleKeywords = RoleKeywords {
    names: &["pricing", "plans", "prices"],
    titles: &[
        "pricing", "plans", "prices", "price", "preise", "tarife", "tarifs", "precios", "planes", "prezzi", "preços",
        "planos", "prijzen", "priser", "ceny", "料金", "价格", "가격", "цены",
    ],
};

pub(crate) const FAQ: RoleKeywords = RoleKeywords {
    names: &["faq", "faqs"],
    titles: &[
        "faq",
        "frequently asked",
        "questions",
        "häufige fragen",
        "häufig gestellte",
        "preguntas frecuentes",
        "domande frequenti",
        "perguntas frequentes",
        "veelgestelde vragen",
        "foire aux",
        "vanliga frågor",
        "ofte stillede",
        "často kladené",
        "najczęściej zadawane",
        "よくある質問",
        "よくあるご質問",
        "常见问题",
        "자주 묻는",
        "частые вопросы",
        "вопросы и ответы",
        "الأسئلة الشائعة",
    ],
};

pub(crate) const TESTIMONIALS: RoleKeywords = RoleKeywords {
    names: &["testimonial", "testimonials", "reviews", "quotes"],
    titles: &[
        "testimonial",
        "what people",
        "what our",
        "what they say",
        "customers say",
        "customers are saying",
        "clients say",
        "clients speak",
        "people are saying",
        "hear from our",
        "reviews",
        "loved by",
        "wall of love",
        "kundenstimmen",
        "das sagen",
        "témoignages",
        "testimonios",
        "testimonianze",
        "depoimentos",
        "お客様の声",
        "客户评价",
        "отзывы",
    ],
};

pub(crate) const FEATURES: RoleKeywords = RoleKeywords {
    names: &["features", "feature", "services", "benefits"],
    titles: &[
        "feature",
        "services",
        "benefits",
        "what we do",
        "why ",
        "funktionen",
        "leistungen",
        "fonctionnalités",
        "funciones",
        "características",
        "servicios",
        "funzionalità",
        "servizi",
        "recursos",
        "serviços",
        "functies",
        "機能",
        "功能",
        "возможности",
    ],
};

/// Words in titles of article lists, which are no features.
pub(crate) const ARTICLES: &[&str] =
    &["blog", "blogs", "news", "posts", "articles", "aktuelles", "actualités", "noticias"];

pub(crate) const CTA: RoleKeywords = RoleKeywords {
    names: &["cta"],
    titles: &["get started", "sign up", "ready to", "try ", "join ", "start ", "subscribe", "newsletter"],
};
