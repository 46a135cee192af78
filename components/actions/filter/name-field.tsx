"use client";

import { useId } from "react";
import { useTemplateContext } from "#components/template/template-context.tsx";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import type { Completer, Suggestion } from "#components/ui/code/suggestion.ts";

type NameFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly names: readonly Suggestion[];
  readonly onChange: (value: string) => void;
};

/** A template name without braces, as filters use it, with suggestions. */
export function NameField({ label, value, placeholder, names, onChange }: NameFieldProps) {
  const id = useId();
  const { onCursor } = useTemplateContext();
  return (
    <CodeEditor
      id={id}
      label={label}
      value={value}
      onChange={onChange}
      placeholder={placeholder}
      completer={completeName(names)}
      suggestsOnFocus
      onCursor={(editor) =>
        onCursor({
          name: label.replace(/, name$/, ""),
          insert: (path) =>
            editor.insert(({ before }) => ({ text: path, replaces: before.length })),
        })
      }
    />
  );
}

const maxOffered = 40;

/** Completes a name. The whole text is the name. */
function completeName(names: readonly Suggestion[]): Completer {
  return {
    complete: (text) => {
      const wanted = text.trim().toLowerCase();
      const suggestions = names
        .filter(({ label }) => label.toLowerCase().includes(wanted) && label !== text)
        .slice(0, maxOffered);
      return suggestions.length === 0 ? null : { from: 0, to: text.length, suggestions };
    },
    apply: (_text, _completion, { text }) => ({ text, cursor: text.length }),
  };
}
