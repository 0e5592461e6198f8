//! References to custom properties in values.

/// Returns the names in the `var()` of a value, in order.
pub fn referenced_names(value: &str) -> impl Iterator<Item = &str> {
    value.split("var(").skip(1).filter_map(|rest| rest.split([')', ',']).next()).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::referenced_names;

    #[test]
    fn names_are_those_of_all_references() {
        let names: Vec<&str> = referenced_names("calc(var(--a) * var( --b , var(--c, 1px)))").collect();
        assert_eq!(names, ["--a", "--b", "--c"]);
    }
}
