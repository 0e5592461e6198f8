//! `display`.

use crate::value::Component;

macro_rules! display {
    ($($(#[$default:ident])? $variant:ident $text:literal $(| $alias:literal)*;)*) => {
        /// `display`, in its shortest serialization ([Display 4](https://drafts.csswg.org/css-display-4/#the-display-properties)).
        ///
        /// The values are those that Chromium has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Display {
            $($(#[$default])? #[doc = concat!("`", $text, "`.")] $variant,)*
        }

        impl Display {
            /// Every value.
            #[cfg(test)]
            pub(super) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the value as it is serialized.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// Parses a computed value, or specified keywords in alphabetical order.
            pub fn parse(text: &str) -> Option<Self> {
                Some(match text {
                    $($text $(| $alias)* => Self::$variant,)*
                    _ => return None,
                })
            }
        }
    };
}

display! {
    None "none";
    Contents "contents";
    Block "block" | "block flow" | "flow";
    FlowRoot "flow-root" | "block flow-root";
    ListItem "list-item" | "block list-item" | "block flow list-item" | "flow list-item";
    FlowRootListItem "flow-root list-item" | "block flow-root list-item";
    #[default] Inline "inline" | "flow inline";
    InlineBlock "inline-block" | "flow-root inline";
    InlineListItem "inline list-item" | "flow inline list-item";
    InlineFlowRootListItem "inline flow-root list-item" | "flow-root inline list-item";
    Flex "flex" | "block flex" | "-webkit-flex";
    InlineFlex "inline-flex" | "flex inline" | "-webkit-inline-flex";
    Grid "grid" | "block grid";
    InlineGrid "inline-grid" | "grid inline";
    WebkitBox "-webkit-box";
    WebkitInlineBox "-webkit-inline-box";
    Table "table" | "block table";
    InlineTable "inline-table" | "inline table";
    TableRowGroup "table-row-group";
    TableHeaderGroup "table-header-group";
    TableFooterGroup "table-footer-group";
    TableRow "table-row";
    TableCell "table-cell";
    TableColumnGroup "table-column-group";
    TableColumn "table-column";
    TableCaption "table-caption";
    Ruby "ruby" | "inline ruby";
    BlockRuby "block ruby";
    RubyText "ruby-text";
    Math "math" | "inline math";
    BlockMath "block math";
}

impl Display {
    /// Returns the computed value of specified keywords.
    pub(crate) fn compute(value: &[Component]) -> Option<Self> {
        let mut words: Vec<String> =
            value.iter().filter_map(Component::as_ident).map(str::to_ascii_lowercase).collect();
        words.sort_unstable();
        Self::parse(&words.join(" "))
    }

    /// Returns the block-level equivalent (<https://drafts.csswg.org/css-display-4/#blockify>). Like Chromium, makes an
    /// `inline-block` a `block`.
    pub(crate) fn blockified(self) -> Self {
        match self {
            Self::Inline | Self::InlineBlock | Self::RubyText => Self::Block,
            internal if internal.is_layout_internal() => Self::Block,
            Self::InlineListItem => Self::ListItem,
            Self::InlineFlowRootListItem => Self::FlowRootListItem,
            Self::InlineFlex => Self::Flex,
            Self::InlineGrid => Self::Grid,
            Self::InlineTable => Self::Table,
            Self::WebkitInlineBox => Self::WebkitBox,
            Self::Ruby => Self::BlockRuby,
            Self::Math => Self::BlockMath,
            other => other,
        }
    }

    /// Returns true if an element with this value has a box of its own
    /// (<https://drafts.csswg.org/css-display-4/#box-generation>).
    pub fn generates_box(self) -> bool {
        !matches!(self, Self::None | Self::Contents)
    }

    /// Returns true if the outer display type is `block` (<https://drafts.csswg.org/css-display-4/#block-level>).
    pub fn is_block_level(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::FlowRoot
                | Self::ListItem
                | Self::FlowRootListItem
                | Self::Flex
                | Self::Grid
                | Self::WebkitBox
                | Self::Table
                | Self::BlockRuby
                | Self::BlockMath
        )
    }

    /// Returns true if the outer display type is `inline` (<https://drafts.csswg.org/css-display-4/#inline-level>).
    pub fn is_inline_level(self) -> bool {
        self.is_atomic_inline() || matches!(self, Self::Inline | Self::InlineListItem | Self::Ruby)
    }

    /// Returns true for an inline-level box that takes part in a line as a whole
    /// (<https://drafts.csswg.org/css-display-4/#atomic-inline>). An inline box that is replaced does so as well, which
    /// its `display` does not tell.
    pub fn is_atomic_inline(self) -> bool {
        matches!(
            self,
            Self::InlineBlock
                | Self::InlineFlowRootListItem
                | Self::InlineFlex
                | Self::InlineGrid
                | Self::WebkitInlineBox
                | Self::InlineTable
                | Self::Math
        )
    }

    /// Returns true for a box that contains either block-level boxes or lines
    /// (<https://drafts.csswg.org/css-display-4/#block-container>).
    pub fn is_block_container(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::FlowRoot
                | Self::ListItem
                | Self::FlowRootListItem
                | Self::InlineBlock
                | Self::InlineFlowRootListItem
                | Self::TableCell
                | Self::TableCaption
        )
    }

    /// Returns true for `flex` and `inline-flex` (<https://drafts.csswg.org/css-flexbox-1/#flex-container>).
    pub fn is_flex_container(self) -> bool {
        matches!(self, Self::Flex | Self::InlineFlex)
    }

    /// Returns true for `grid` and `inline-grid` (<https://drafts.csswg.org/css-grid-2/#grid-container>).
    pub fn is_grid_container(self) -> bool {
        matches!(self, Self::Grid | Self::InlineGrid)
    }

    /// Returns true if the children are flex items (<https://drafts.csswg.org/css-flexbox-1/#flex-items>) or grid items
    /// (<https://drafts.csswg.org/css-grid-2/#grid-items>). Legacy flex containers are not counted, see
    /// [`Self::is_legacy_flex_container`].
    pub fn is_flex_or_grid_container(self) -> bool {
        self.is_flex_container() || self.is_grid_container()
    }

    /// Returns true for `-webkit-box` and `-webkit-inline-box`
    /// (<https://compat.spec.whatwg.org/#css-keyword-mappings>).
    pub fn is_legacy_flex_container(self) -> bool {
        matches!(self, Self::WebkitBox | Self::WebkitInlineBox)
    }

    /// Returns true for boxes with a marker (<https://drafts.csswg.org/css-lists-3/#list-item>).
    pub fn is_list_item(self) -> bool {
        matches!(self, Self::ListItem | Self::FlowRootListItem | Self::InlineListItem | Self::InlineFlowRootListItem)
    }

    /// Returns true for `table` and `inline-table` (<https://drafts.csswg.org/css-tables-3/#table-root-element>).
    pub fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::InlineTable)
    }

    /// Returns true for the parts of a table but its caption
    /// (<https://drafts.csswg.org/css-display-4/#internal-table-element>).
    pub fn is_internal_table(self) -> bool {
        matches!(
            self,
            Self::TableRowGroup
                | Self::TableHeaderGroup
                | Self::TableFooterGroup
                | Self::TableRow
                | Self::TableCell
                | Self::TableColumnGroup
                | Self::TableColumn
        )
    }

    /// Returns true for the parts of a table, its caption included. (`ruby-text` is layout-internal in
    /// <https://drafts.csswg.org/css-display-4/#layout-specific-display>, but an inline box in Chromium.)
    pub fn is_layout_internal(self) -> bool {
        self.is_internal_table() || self == Self::TableCaption
    }
}
