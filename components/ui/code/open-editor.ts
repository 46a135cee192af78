import { acceptCompletion, completionStatus, currentCompletions } from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from "@codemirror/view";
import { editorTheme, jsonColors } from "./editor-theme.ts";
import { offerSuggestions } from "./offer-suggestions.ts";
import type { Completer, Mark } from "./suggestion.ts";

type EditorOptions = {
  readonly text: string;
  readonly language: "json" | undefined;
  /** Support for another language. */
  readonly extension: Extension | undefined;
  /** Undefined: one line, which no key or paste breaks. */
  readonly rows: number | undefined;
  readonly placeholder: string;
  readonly completer: Completer | undefined;
  /** Suggests at once if the field is empty. */
  readonly suggestsOnFocus: boolean;
  readonly onChange: (text: string) => void;
  readonly onSuggestions: (count: number) => void;
  /** Called on focus, and when the cursor moves. `before` is the text before it. */
  readonly onCursor: (before: string) => void;
  /** Converts dropped text at its position after `before`. Null: it stays unchanged. */
  readonly onDrop: (dropped: string, before: string) => string | null;
};

/** The settings that may change while the editor is open. */
type EditorSettings = {
  readonly attributes: Readonly<Record<string, string>>;
  readonly marks: ((text: string) => readonly Mark[]) | undefined;
};

/** Writes text for a cursor between two texts. It can replace characters before the cursor. */
type WriteText = (around: { readonly before: string; readonly after: string }) => {
  readonly text: string;
  readonly replaces: number;
};

export type OpenEditor = {
  /** Sets text from outside. It can be undone like typed text, and `onChange` isn't called. */
  readonly setText: (text: string) => void;
  readonly configure: (settings: EditorSettings) => void;
  /**
   * Replaces the selection and what `write` says before it, moves the focus there, and returns the
   * text. Null: the editor is closed.
   */
  readonly insert: (write: WriteText) => string | null;
  readonly focus: () => void;
  readonly close: () => void;
};

const isFromOutside = Annotation.define<true>();

/**
 * CodeMirror with the features that our fields need. Tab leaves the editor unless suggestions are
 * open.
 */
export function openEditor(
  parent: HTMLElement,
  options: EditorOptions,
  initial: EditorSettings,
): OpenEditor {
  const settings = new Compartment();
  const view = new EditorView({
    parent,
    doc: options.text,
    extensions: [
      EditorView.cspNonce.of(readNonce()),
      editorTheme(options.rows ?? 1),
      EditorView.lineWrapping,
      highlightSpecialChars(),
      history(),
      options.language === "json" ? [json(), syntaxHighlighting(jsonColors)] : [],
      options.extension ?? [],
      options.completer === undefined
        ? []
        : offerSuggestions(options.completer, options.suggestsOnFocus),
      options.rows === undefined ? oneLine : [],
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...historyKeymap, ...standardKeymap]),
      placeholder(options.placeholder),
      settings.of(toExtension(initial)),
      listen(options),
    ],
  });

  function insert(write: WriteText): string | null {
    if (!view.dom.isConnected) return null;
    const { from: cursor, to } = view.state.selection.main;
    const { text, replaces } = write({
      before: view.state.sliceDoc(0, cursor),
      after: view.state.sliceDoc(to),
    });
    const from = cursor - replaces;
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      scrollIntoView: true,
      userEvent: "input",
    });
    view.focus();
    return text;
  }

  return {
    setText: (text) =>
      view.dispatch({
        changes: differenceOf(view.state.doc.toString(), text),
        annotations: isFromOutside.of(true),
      }),
    configure: (next) => view.dispatch({ effects: settings.reconfigure(toExtension(next)) }),
    insert,
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** The nonce of the page's policy, which blocks styles without it. */
function readNonce(): string {
  return document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
}

function listen({ onChange, onSuggestions, onCursor, onDrop }: EditorOptions): Extension {
  let offered = 0;
  return [
    EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions, view }) => {
      if (docChanged && !transactions.some((one) => one.annotation(isFromOutside)))
        onChange(state.doc.toString());
      if (view.hasFocus && (docChanged || selectionSet)) onCursor(beforeCursor(state));
      const isOpen = completionStatus(state) === "active";
      const count = isOpen ? currentCompletions(state).length : 0;
      if (count === offered) return;
      offered = count;
      onSuggestions(count);
    }),
    EditorView.domEventHandlers({
      focus: (_event, view) => onCursor(beforeCursor(view.state)),
      drop: (event, view) => {
        const from = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
        const dropped = event.dataTransfer?.getData("text/plain") ?? "";
        const text = onDrop(dropped, view.state.sliceDoc(0, from));
        if (text === null) return false;
        event.preventDefault();
        view.dispatch({
          changes: { from, insert: text },
          selection: { anchor: from + text.length },
          userEvent: "input.drop",
        });
        view.focus();
        return true;
      },
    }),
  ];
}

function beforeCursor(state: EditorState): string {
  return state.sliceDoc(0, state.selection.main.from);
}

function toExtension({ attributes, marks }: EditorSettings): Extension {
  const own = EditorView.contentAttributes.of({ ...attributes });
  if (marks === undefined) return own;
  const draw = ({ doc }: EditorState): DecorationSet =>
    Decoration.set(
      marks(doc.toString()).map(({ from, to, className }) =>
        Decoration.mark({ class: className }).range(from, to),
      ),
    );
  return [own, EditorView.decorations.compute(["doc"], draw)];
}

const oneLine: Extension = [
  EditorView.contentAttributes.of({ "aria-multiline": "false" }),
  EditorState.transactionFilter.of((change) =>
    change.newDoc.lines === 1
      ? change
      : [change, { changes: listBreaks(change.newDoc), sequential: true }],
  ),
  keymap.of([{ key: "Enter", run: () => true, shift: () => true }]),
];

function listBreaks(text: Text): readonly { readonly from: number; readonly to: number }[] {
  return Array.from({ length: text.lines - 1 }, (_, index) => {
    const { to } = text.line(index + 1);
    return { from: to, to: to + 1 };
  });
}

/** Only the difference, so that the cursor stays in place. */
function differenceOf(before: string, after: string) {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shortest - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
