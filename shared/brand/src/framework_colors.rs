//! Default colours of frameworks, which the site did not choose.

use super::color::Rgba;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Default colours of frameworks: links, primary buttons, accents.
const FRAMEWORKS: &[(&str, &[u32])] = &[
    ("browsers", &[0x0000ee, 0x551a8b, 0xee0000, 0x0000ff]),
    (
        "Bootstrap 5",
        &[0x0d6efd, 0x0b5ed7, 0x0a58ca, 0x6610f2, 0x198754, 0x0dcaf0, 0x052c65, 0x0a3622, 0x664d03, 0x055160, 0x58151c],
    ),
    ("Bootstrap 4", &[0x007bff, 0x0069d9, 0x0062cc, 0x0056b3, 0x28a745, 0x17a2b8, 0xdc3545, 0xffc107]),
    ("Bootstrap 3", &[0x337ab7, 0x286090, 0x23527c, 0x2e6da4, 0x428bca, 0x5cb85c, 0x5bc0de, 0xf0ad4e, 0xd9534f]),
    ("Bootstrap 2", &[0x0088cc, 0x006dcc, 0x0044cc, 0x005580]),
    ("Foundation", &[0x1779ba, 0x2ba6cb, 0x008cba]),
    ("Bulma", &[0x00d1b2, 0x3273dc, 0x485fc7, 0x48c774, 0x3298dc, 0xf14668]),
    ("Material Design Lite", &[0x3f51b5, 0xff4081]),
    ("Materialize", &[0x26a69a, 0xee6e73, 0x2bbbad]),
    ("MUI", &[0x1976d2, 0x1565c0, 0x9c27b0, 0x2196f3, 0xf50057]),
    ("Vuetify", &[0x1867c0]),
    ("Material Components", &[0x6200ee, 0x018786]),
    ("Ant Design", &[0x1890ff, 0x1677ff, 0x40a9ff]),
    ("Element", &[0x409eff]),
    ("Semantic UI", &[0x2185d0, 0x4183c4, 0x1e70bf]),
    ("Chakra", &[0x3182ce, 0x2b6cb0]),
    ("UIkit", &[0x1e87f0]),
    ("Skeleton", &[0x33c3f0, 0x1eaedb]),
    ("Pure", &[0x0078e7]),
    ("jQuery UI", &[0x007fff, 0x003eff]),
    ("Swiper", &[0x007aff]),
    (
        "WordPress",
        &[
            0x0073aa, 0x007cba, 0x006ba1, 0x32373c, 0x0693e3, 0xcf2e2e, 0xff6900, 0xfcb900, 0x9b51e0, 0xf78da7,
            0x7bdcb5, 0x00d084, 0x8ed1fc,
        ],
    ),
    ("WooCommerce", &[0x7f54b3, 0xa46497, 0x96588a, 0x720eec, 0x873eff]),
    ("Gravity Forms", &[0x204ce5]),
    ("The Events Calendar", &[0x334aff]),
    ("Dawn", &[0x334fb4]),
    ("Elementor", &[0x6ec1e4, 0x61ce70, 0x4054b2, 0x69727d, 0x54595f]),
    ("Divi", &[0x2ea3f2, 0x2b87da, 0x29c4a9, 0x7ebec5]),
    ("Bricks", &[0xffd64f]),
    ("Judge.me", &[0x339999]),
    ("Astra", &[0x0170b9, 0x0274be]),
    ("Webflow", &[0x3898ec]),
    ("Framer", &[0x0099ff]),
    ("Tilda", &[0xfa876b, 0xff8562]),
    ("Docusaurus", &[0x3578e5]),
    ("Nuxt UI", &[0x00dc82, 0x00c16a, 0x00c950, 0x05df72]),
    ("tile generators", &[0xda532c, 0x2b5797, 0x603cba, 0x00aba9, 0x9f00a7, 0xb91d47, 0x5bbad5, 0x2d89ef]),
];

static COLORS: OnceLock<HashSet<[u8; 3]>> = OnceLock::new();

/// Returns true if a colour is a framework's default.
pub(super) fn is_default(shade: Rgba) -> bool {
    let known = COLORS.get_or_init(|| {
        let bytes = |number: &u32| {
            let [_, red, green, blue] = number.to_be_bytes();
            [red, green, blue]
        };
        FRAMEWORKS.iter().flat_map(|(_, colors)| colors.iter().map(bytes)).collect()
    });
    let [red, green, blue, _] = shade.rgba;
    known.contains(&[red, green, blue])
}

/// Returns true if a custom property belongs to a framework, not to the site.
pub(super) fn is_framework_variable(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "--tw-",
        "--bs-",
        "--bulma-",
        "--wp--preset--gradient",
        "--wp--preset--duotone",
        "--wp-admin",
        "--swiper",
        "--plyr",
        "--fa-",
        "--toastify",
        "--ck-",
        "--chakra-",
        "--mantine-",
        "--mdc-",
        "--mat-",
        "--mdl-",
        "--q-",
        "--v-theme",
        "--el-",
        "--ant-",
        "--uk-",
        "--docsearch",
        "--cc-",
        "--cky",
        "--onetrust",
        "--ifm-color-info",
        "--ifm-color-secondary",
        "--ifm-color-success",
        "--fc-",
        "--pst-",
        "--reveal-",
        "--r-selection",
        "--ui-color-",
        "--jdgm-",
        "--gform-",
        "--wpforms-",
        "--wc-",
        "--fluentform-",
        "--cmplz",
        "--tec-",
        "--wp-components-",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framework_defaults_are_recognised() {
        for (hex, expected) in [
            ("#0d6efd", true),
            ("#337AB7", true),
            ("#0000ee", true),
            ("#6EC1E4", true),
            ("#3898ec", true),
            ("#2b87da", true),
            ("#e12830", false),
        ] {
            assert_eq!(is_default(Rgba::parse(hex).unwrap()), expected, "{hex}");
        }
        for (name, expected) in [
            ("--tw-ring-color", true),
            ("--ui-color-primary-600", true),
            ("--jdgm-primary-color", true),
            ("--brand", false),
            ("--wp--preset--color--primary", false),
        ] {
            assert_eq!(is_framework_variable(name), expected, "{name}");
        }
    }
}
