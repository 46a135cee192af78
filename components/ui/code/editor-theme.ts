import { HighlightStyle } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The page's colors and sizes. The frame around the editor sets font and border. */
export function editorTheme(rows: number): Extension {
  return EditorView.theme({
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "inherit", lineHeight: "1rem" },
    ".cm-content": {
      minHeight: `calc(${rows}rem + 18px)`,
      padding: "9px 0",
      caretColor: "var(--foreground)",
    },
    ".cm-line": { padding: "0 12px" },
    ".cm-gutters": {
      border: "0",
      backgroundColor: "transparent",
      color: "var(--muted-foreground)",
    },
    ".cm-placeholder": { color: "var(--muted-foreground)" },
    ".cm-specialChar": { color: "var(--negative)" },
    ".cm-tooltip": {
      border: "1px solid var(--border)",
      borderRadius: "6px",
      padding: "4px",
      backgroundColor: "var(--card)",
      color: "var(--foreground)",
      boxShadow: "0 10px 15px -3px rgb(0 0 0 / 0.1)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": {
      maxHeight: "15rem",
      minWidth: "16rem",
      maxWidth: "min(36rem, 92vw)",
      fontFamily: "inherit",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
      display: "flex",
      alignItems: "baseline",
      gap: "12px",
      borderRadius: "2px",
      padding: "4px 8px",
      lineHeight: "1rem",
      whiteSpace: "normal",
    },
    ".cm-tooltip-autocomplete ul li[aria-selected]": {
      backgroundColor: "var(--muted)",
      color: "var(--foreground)",
    },
    ".cm-completionLabel": { minWidth: "0", overflowWrap: "anywhere" },
    ".cm-completionDetail": {
      minWidth: "0",
      maxWidth: "50%",
      marginLeft: "auto",
      overflow: "hidden",
      textOverflow: "ellipsis",
      whiteSpace: "nowrap",
      fontStyle: "normal",
      color: "var(--muted-foreground)",
    },
    ".cm-completionKind": {
      flex: "0 0 3rem",
      textAlign: "right",
      color: "var(--muted-foreground)",
    },
  });
}

/** The colors of values, as in the payload tree. */
export const jsonColors = HighlightStyle.define([
  { tag: tags.string, color: "var(--positive)" },
  { tag: tags.number, color: "var(--primary)" },
  { tag: tags.bool, color: "var(--caution)" },
  { tag: tags.null, color: "var(--muted-foreground)" },
  { tag: tags.propertyName, color: "var(--foreground)", fontWeight: "500" },
]);
