//! Tests `used_fonts`.

use super::*;
use limner_component_model::model::Condition;

#[test]
fn conditional_font_of_a_pseudo_element_leaves_the_inherited_one() {
    let weight = |weight: &str, condition| Rule {
        condition,
        state: None,
        pseudo: Some(PseudoElement::Before),
        declarations: vec![Declaration {
            name: "font-weight".into(),
            value: weight.to_owned(),
            computed: weight.to_owned(),
        }],
    };
    let wide = Condition { min_width: Some(768), ..Condition::default() };
    let inherited = BTreeSet::from([Font { families: "Inter", weight: 400, is_slanted: false }]);
    let weights = |rules: &[Rule]| -> Vec<u32> {
        let fonts = FontChange::from_rules(rules.iter()).applied_to(&inherited).unwrap();
        fonts.iter().map(|font| font.weight).collect()
    };
    assert_eq!(weights(&[weight("700", wide.clone())]), [700, 400]);
    assert_eq!(weights(&[weight("500", Condition::default()), weight("700", wide)]), [500, 700]);
}
