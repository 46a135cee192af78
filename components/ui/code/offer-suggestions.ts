import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type Completion as Option,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { Completer, Suggestion } from "./suggestion.ts";

type ListedOption = Option & { readonly kind: string };

/** Lists the suggestions of `completer`, in its order, while the user types and on Ctrl+Space. */
export function offerSuggestions(completer: Completer, suggestsOnFocus: boolean): Extension {
  const find = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const found = completer.complete(state.doc.toString(), pos);
    if (found === null) return null;
    return {
      from: found.from,
      to: found.to,
      filter: false,
      options: found.suggestions.map((one) => toOption(one, completer)),
      // There is no delay, so that Enter right after a letter never takes a suggestion for the
      // previous text.
      update: (_result, _from, _to, context) => find(context),
    };
  };
  return [
    autocompletion({
      override: [find],
      icons: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      addToOptions: [{ render: drawKind, position: 90 }],
    }),
    EditorState.phrases.of({ Completions: "Suggestions" }),
    suggestsOnFocus
      ? EditorView.domEventHandlers({
          focus: (_event, view) => suggestIfEmpty(view),
          // A click places the cursor, which closes the list that the focus opened.
          click: (_event, view) => suggestIfEmpty(view),
        })
      : [],
  ];
}

function suggestIfEmpty(view: EditorView): void {
  if (view.state.doc.length === 0) startCompletion(view);
}

function toOption(suggestion: Suggestion, completer: Completer): ListedOption {
  const { label, detail, kind } = suggestion;
  return {
    label,
    displayLabel: safeText(label),
    detail,
    kind,
    apply: (view, option, from, to) => {
      const text = view.state.doc.toString();
      const next = completer.apply(text, { from, to, suggestions: [suggestion] }, suggestion);
      const tail = text.length - to;
      view.dispatch({
        changes: { from, to, insert: next.text.slice(from, next.text.length - tail) },
        selection: { anchor: next.cursor },
        scrollIntoView: true,
        userEvent: "input.complete",
        annotations: pickedCompletion.of(option),
      });
    },
  };
}

function drawKind(option: Option): Node {
  const kind = document.createElement("span");
  kind.className = "cm-completionKind";
  kind.textContent = (option as ListedOption).kind;
  return kind;
}
