//! Matching of values with grammars.

use super::*;
use crate::value::parse_components;

#[test]
fn single_component_match_equals_the_general_match() {
    let texts = [
        "auto",
        "none",
        "0",
        "1",
        "-1",
        "1px",
        "-1px",
        "10%",
        "red",
        "#fff",
        "'x'",
        "url(x)",
        ",",
        "/",
        "1s",
        "1fr",
        "inset",
        "left",
        "center",
        "span",
        "block",
        "first",
        "a",
        "calc(1px + 1%)",
        "rgb(0, 0, 0)",
        "[a]",
        "scale(2)",
        "linear-gradient(red, blue)",
        "subgrid",
        "content-box",
        "1deg",
        "1.5",
        "2",
    ];
    let own = [
        "a? b?",
        "a* 1px",
        "[a? 1px?]+",
        "[a|b?] c?",
        "a{2}",
        "a#",
        "a?&&b?",
        "a?||1px",
        "a{0,3} 1px{0}",
        "[a?]{2}",
        "[a?]+ b?",
    ];
    let own = own.iter().map(|syntax| Grammar::parse(syntax).unwrap_or_else(|| panic!("{syntax}")));
    let all: Vec<Grammar> = own
        .chain(RULES.iter().map(|(rule, _)| named_type(rule).unwrap()))
        .chain(crate::property::Longhand::ALL.iter().map(|longhand| Grammar::parse(longhand.syntax()).unwrap()))
        .collect();
    for text in texts {
        let value = parse_components(text).unwrap();
        for grammar in &all {
            let matcher = SyntaxMatcher::new(&value);
            let (short, long): (u64, SortedPositions) =
                (matcher.match_ends(grammar, 0), matcher.match_ends(grammar, 0));
            assert_eq!([short.contains(1), long.contains(1)], [grammar.matches(&value); 2], "{text}: {grammar:?}");
        }
    }
}

#[test]
fn long_grammars_match_in_linear_time() {
    let grammar = Grammar::parse(&"a?".repeat(200_000)).unwrap();
    assert!(!grammar.matches(&parse_components("b").unwrap()));
    assert!(grammar.matches(&parse_components("a").unwrap()));
}

#[test]
fn oversized_grammars_are_rejected() {
    let of_some = |join: &str| Grammar::parse(&["a"; MAX_IN_ANY_ORDER].join(join));
    let of_many = |join: &str| Grammar::parse(&["a"; 200].join(join));
    for join in ["&&", "||"] {
        assert!(of_some(join).is_some() && of_many(join).is_none(), "{join}");
    }
    assert!(of_many("|").is_some());
    assert!(Grammar::parse("a#?").is_some());
    assert!(Grammar::parse(&format!("a{}", "?".repeat(200_000))).is_none());
}

#[test]
fn long_values_match_like_short_ones() {
    let grammar = Grammar::parse("<shadow>#").unwrap();
    let list = |count: usize| parse_components(&vec!["1px 1px red"; count].join(",")).unwrap();
    for count in [1, 15, 16, 17, 400] {
        let mut value = list(count);
        assert!(grammar.matches(&value), "{count}");
        assert_eq!(grammar.longest(&value), Some(value.len()), "{count}");
        value.push(Component::Comma);
        assert!(!grammar.matches(&value), "{count}");
    }
}

#[test]
fn sorted_positions_ignore_the_order_of_insertion() {
    let mut places = SortedPositions::single(7);
    for others in [&[9, 12][..], &[1, 3, 9], &[8], &[], &[3, 20]] {
        places.union_with(&others.iter().copied().collect());
    }
    assert_eq!(places.as_slice(), [1, 3, 7, 8, 9, 12, 20]);
}

#[test]
fn sets_of_parts_count_as_steps() {
    let any = |join: &str| {
        let syntax =
            format!("[x|[{}]]+", "abcdefghij".split("").filter(|part| !part.is_empty()).collect::<Vec<_>>().join(join));
        Grammar::parse(&syntax).unwrap()
    };
    let many = parse_components(&"x ".repeat(10_000)).unwrap();
    let few = parse_components("x x j x").unwrap();
    assert!(any("||").matches(&few));
    for join in ["&&", "||"] {
        assert!(!any(join).matches(&many), "{join}: this would take a million subsets and more");
    }
}

#[test]
fn long_lists_count_as_steps() {
    let words: Vec<String> = (0..20_000).map(|number| format!("k{number}")).collect();
    let any = Grammar::parse(&format!("[z|{}]+", words.join("|"))).unwrap();
    assert!(any.matches(&parse_components("z k19999 z").unwrap()));
    assert!(!any.matches(&parse_components(&"z ".repeat(10_000)).unwrap()), "this would take 200 million comparisons");
}

#[test]
fn values_4_section_2_value_definition_syntax() {
    for (syntax, fits, fails) in [
        ("a|b c", vec!["a", "b c"], vec!["b", "c", "a b", ""]),
        ("a||b", vec!["a", "b", "b a"], vec!["", "a a"]),
        ("a&&b?", vec!["a", "a b", "b a"], vec!["b"]),
        ("<length>{1,2}", vec!["1px", "0 2em", "calc(1px + 1em)"], vec!["1", "1px 1px 1px", "50%"]),
        ("<length+>", vec!["0", "calc(0px - 1px)"], vec!["-1px"]),
        ("<number>#", vec!["1", "1, 2, 3"], vec!["1 2", "1,", ",1"]),
        ("[a <integer>?]+", vec!["a", "a 1 a a 2"], vec!["1", "a 1.5"]),
        ("<ratio>", vec!["16 / 9", "1"], vec!["1 / 2 / 3", "-1"]),
        ("<shadow>#", vec!["0 0 red", "inset 1px 1px 2px 3px #000, red 0 0"], vec!["0", "0 0 -1px", "red"]),
        (
            "<position>",
            vec!["left", "top left", "right 10px bottom 5px", "10% 20%"],
            vec!["left left", "1px left 2px top"],
        ),
        ("<easing>", vec!["ease", "cubic-bezier(0, 0, 1, 1)", "steps(4, end)"], vec!["cubic-bezier(0, 0)", "swing"]),
        ("<display>", vec!["block", "inline flow-root", "flex inline"], vec!["flexbox", "block block"]),
    ] {
        let grammar = Grammar::parse(syntax).unwrap();
        for value in fits {
            assert!(grammar.matches(&parse_components(value).unwrap()), "{syntax}: {value}");
        }
        for value in fails {
            assert!(!grammar.matches(&parse_components(value).unwrap()), "{syntax}: {value}");
        }
    }
}
