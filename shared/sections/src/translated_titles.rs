//! Usual titles of sections in other languages.

#[rustfmt::skip]
const TITLES: &[(&str, &[&str])] = &[
    ("about", &["acerca de nosotros", "a propos", "chi siamo", "sobre nosotros", "sobre nós", "uber uns", "quienes somos", "quiénes somos", "à propos", "über uns"]),
    ("clients", &["clientes", "clienti", "kunden", "nos clients", "nuestros clientes", "unsere kunden"]),
    ("contact", &["contactez-nous", "contacto", "contactos", "contatti", "contato", "contáctanos", "kontakt", "kontaktiere uns", "kontaktieren sie uns", "nous contacter"]),
    ("faq", &["faqs", "häufige fragen", "perguntas frequentes", "preguntas frecuentes", "questions fréquentes"]),
    ("gallery", &["galería", "galerie", "galleria", "galeria"]),
    ("news", &["actualités", "aktuelles", "neuigkeiten", "noticias", "notícias", "notizie"]),
    ("pricing", &["precios", "preise", "preços", "prezzi", "tarifs", "unsere preise"]),
    ("products", &["nuestros productos", "produits", "produkte", "productos", "prodotti", "produtos", "unsere produkte"]),
    ("projects", &["nuestros proyectos", "projekte", "projets", "proyectos", "progetti", "projetos", "unsere projekte"]),
    ("services", &["leistungen", "nos services", "nossos serviços", "nuestros servicios", "servicios", "servizi", "serviços", "unsere leistungen"]),
    ("team", &["das team", "equipo", "notre équipe", "nuestro equipo", "unser team", "équipe"]),
    ("testimonials", &["avis clients", "bewertungen", "kundenstimmen", "opiniones", "recensioni", "testimonios", "témoignages"]),
];

/// Returns the English name of a section that has one of the usual titles in another language.
pub fn english_name(title: &str) -> Option<&'static str> {
    let title = title.to_lowercase();
    let title = title.trim_matches(|c: char| !c.is_alphanumeric());
    TITLES.iter().find(|(_, known)| known.contains(&title)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::english_name;

    #[test]
    fn titles_in_other_languages_have_english_names() {
        for (title, expected) in [
            ("Contáctanos", Some("contact")),
            ("Unsere Leistungen", Some("services")),
            ("¡Contacto!", Some("contact")),
            ("Words", None),
        ] {
            assert_eq!(english_name(title), expected, "{title}");
        }
    }
}
