//! Enums of computed keywords.

macro_rules! keywords {
    ($($(#[$meta:meta])* $name:ident { $initial:ident $first:literal $(, $variant:ident $text:literal $(| $alias:literal)*)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
            pub enum $name {
                #[doc = concat!("`", $first, "`, the initial value.")]
                #[default]
                $initial,
                $(#[doc = concat!("`", $text, "`.")] $variant,)*
            }

            impl $name {
                /// Returns the keyword.
                pub fn as_str(self) -> &'static str {
                    match self {
                        Self::$initial => $first,
                        $(Self::$variant => $text,)*
                    }
                }

                /// Parses a value as it is computed: one keyword in lower case.
                pub fn parse(text: &str) -> Option<Self> {
                    Some(match text {
                        $first => Self::$initial,
                        $($text $(| $alias)* => Self::$variant,)*
                        _ => return None,
                    })
                }
            }
        )*
    };
}

keywords! {
    /// `position` ([Positioned Layout 3](https://drafts.csswg.org/css-position-3/#position-property)).
    Position { Static "static", Relative "relative", Absolute "absolute", Fixed "fixed", Sticky "sticky" }

    /// `float` ([Logical 1](https://drafts.csswg.org/css-logical-1/#float-clear)).
    Float { None "none", Left "left", Right "right", InlineStart "inline-start", InlineEnd "inline-end" }

    /// `overflow-x` or `overflow-y` ([Overflow 3](https://drafts.csswg.org/css-overflow-3/#overflow-control)).
    Overflow { Visible "visible", Hidden "hidden", Clip "clip", Scroll "scroll", Auto "auto" | "overlay" }

    /// `visibility` ([Display 4](https://drafts.csswg.org/css-display-4/#visibility)).
    Visibility { Visible "visible", Hidden "hidden", Collapse "collapse" }

    /// `content-visibility` ([Containment 2](https://drafts.csswg.org/css-contain-2/#content-visibility)).
    ContentVisibility { Visible "visible", Auto "auto", Hidden "hidden" }

    /// `box-sizing` ([Sizing 3](https://drafts.csswg.org/css-sizing-3/#box-sizing)).
    BoxSizing { ContentBox "content-box", BorderBox "border-box" }

    /// `flex-direction` ([Flexbox 1](https://drafts.csswg.org/css-flexbox-1/#flex-direction-property)).
    FlexDirection { Row "row", RowReverse "row-reverse", Column "column", ColumnReverse "column-reverse" }

    /// `flex-wrap` ([Flexbox 1](https://drafts.csswg.org/css-flexbox-1/#flex-wrap-property)).
    FlexWrap { Nowrap "nowrap", Wrap "wrap", WrapReverse "wrap-reverse" }

    /// `table-layout` ([CSS 2](https://drafts.csswg.org/css2/#width-layout)).
    TableLayout { Auto "auto", Fixed "fixed" }

    /// `border-collapse` ([CSS 2](https://drafts.csswg.org/css2/#borders)).
    BorderCollapse { Separate "separate", Collapse "collapse" }

    /// `white-space-collapse` ([Text 4](https://drafts.csswg.org/css-text-4/#white-space-collapsing)).
    WhiteSpaceCollapse {
        Collapse "collapse", Preserve "preserve", PreserveBreaks "preserve-breaks", BreakSpaces "break-spaces"
    }

    /// `list-style-position` ([Lists 3](https://drafts.csswg.org/css-lists-3/#list-style-position-property)).
    ListStylePosition { Outside "outside", Inside "inside" }

    /// `direction` ([Writing Modes 4](https://drafts.csswg.org/css-writing-modes-4/#direction)).
    Direction { Ltr "ltr", Rtl "rtl" }
}

impl Position {
    /// Returns true for `absolute` and `fixed`
    /// (<https://drafts.csswg.org/css-position-3/#absolutely-positioned>).
    pub fn is_absolute(self) -> bool {
        matches!(self, Self::Absolute | Self::Fixed)
    }
}

impl FlexDirection {
    /// Returns true for `row` and `row-reverse` (<https://drafts.csswg.org/css-flexbox-1/#flex-direction-property>).
    pub fn is_row(self) -> bool {
        matches!(self, Self::Row | Self::RowReverse)
    }

    /// Returns true for `column` and `column-reverse`
    /// (<https://drafts.csswg.org/css-flexbox-1/#flex-direction-property>).
    pub fn is_column(self) -> bool {
        !self.is_row()
    }
}

impl Overflow {
    /// Returns true unless the value is `visible` or `clip`: the box is a scroll container in both axes
    /// (<https://drafts.csswg.org/css-overflow-3/#scroll-container>).
    pub fn scrolls(self) -> bool {
        !matches!(self, Self::Visible | Self::Clip)
    }
}
