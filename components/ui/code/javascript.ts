import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const keywords =
  /^(?:async|await|break|case|catch|class|const|continue|default|delete|do|else|export|finally|for|function|if|in|instanceof|let|new|of|return|switch|throw|try|typeof|var|void|while|yield)\b/;
const atoms = /^(?:true|false|null|undefined|NaN|Infinity)\b/;

type State = { inComment: boolean; inTemplate: boolean };

/**
 * Highlights JavaScript and numbers the lines. A parser (`@codemirror/lang-javascript`) is 90 kB
 * more and would only add colors: errors come from the engine that runs the code.
 */
export function javascript(): Extension {
  return [language, syntaxHighlighting(colors), lineNumbers()];
}

const language = StreamLanguage.define<State>({
  startState: () => ({ inComment: false, inTemplate: false }),
  languageData: { commentTokens: { line: "//" } },
  token(stream, state) {
    if (state.inComment) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return "comment";
    }
    if (state.inTemplate) {
      state.inTemplate = !stream.match(/^(?:[^`\\]|\\.)*`/);
      if (state.inTemplate) stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.inComment = true;
      return "comment";
    }
    if (stream.match("`")) {
      state.inTemplate = true;
      return "string";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/^\d[\w.]*/)) return "number";
    if (stream.match(keywords)) return "keyword";
    if (stream.match(atoms)) return "atom";
    if (stream.match(/^[\p{L}_$][\p{L}\p{N}_$]*/u)) return "variableName";
    stream.next();
    return null;
  },
});

const colors = HighlightStyle.define([
  { tag: tags.string, color: "var(--positive)" },
  { tag: tags.number, color: "var(--primary)" },
  { tag: tags.keyword, color: "var(--caution)" },
  { tag: tags.atom, color: "var(--caution)" },
  { tag: tags.comment, color: "var(--muted-foreground)" },
]);
