"use client";

import { useId, useMemo, useState } from "react";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import type { Mark } from "#components/ui/code/suggestion.ts";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { describeFieldError, type FieldError } from "#lib/schema/field/command-result.ts";
import { applySuggestion, completeTemplate } from "./complete-template.ts";
import { useTemplateContext } from "./template-context.tsx";
import { addDefault, readMissingName, splitTemplates } from "./template-marks.ts";
import { isInTemplate, toInsertion } from "./to-insertion.ts";

type TemplateFieldProps = {
  readonly label: string;
  /** Hides the label except for screen readers. The visible label is above the column. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The minimum number of lines. Omitted: one line. */
  readonly rows?: number;
  readonly place?: "text" | "json";
  /** How the field is called beside the payload. Default: its label. */
  readonly targetName?: string;
  /** Picked payload fields go elsewhere unless the cursor is in a template. */
  readonly takesNamesOnly?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly errors?: readonly FieldError[];
  /** The rendered value for the chosen delivery. */
  readonly resolved?: string | undefined;
};

/**
 * A field that takes `{{ … }}`. Templates are highlighted, and those with a missing name are red.
 * Names and filters are suggested while one is typed.
 */
export function TemplateField(props: TemplateFieldProps) {
  const { label, isLabelHidden = false, value, onChange, rows, place = "text", hint } = props;
  const id = useId();
  const { names, onCursor, onInsert, offerLimit } = useTemplateContext();
  const { targetName = label.replace(/, value$/, ""), takesNamesOnly = false } = props;
  const [isSuggesting, setIsSuggesting] = useState(false);
  // Half of a name isn't an error yet.
  const errors = isSuggesting ? [] : (props.errors ?? []);
  const missing = errors.map(readMissingName);
  const marks = useMarks(missing.filter((name) => name !== null));
  const describedBy = [
    hint !== undefined && `${id}-hint`,
    errors.length > 0 && `${id}-errors`,
  ].filter(Boolean);

  return (
    <div className="grid min-w-0 flex-1 gap-1.5">
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={isLabelHidden ? "sr-only" : "text-sm font-medium"}
      >
        {label}
      </label>
      <CodeEditor
        id={id}
        describedBy={describedBy.length === 0 ? undefined : describedBy.join(" ")}
        isInvalid={errors.length > 0}
        value={value}
        onChange={onChange}
        rows={rows}
        {...(place === "json" ? { language: place } : {})}
        placeholder={props.placeholder}
        completer={{
          complete: (text, cursor) => completeTemplate(text, cursor, names, place),
          apply: applySuggestion,
        }}
        onSuggestions={(count) => setIsSuggesting(count > 0)}
        marks={marks}
        onCursor={(editor, before) =>
          onCursor(
            takesNamesOnly && !isInTemplate(before)
              ? null
              : {
                  name: targetName,
                  insert: (path) => editor.insert((around) => toInsertion(path, place, around)),
                },
          )
        }
        onDrop={(dropped, before) => {
          const path = /^\{\{ (.+) \}\}$/s.exec(dropped)?.[1];
          if (path === undefined) return null;
          const { text } = toInsertion(path, place, { before, after: "" });
          onInsert(text);
          return text;
        }}
      />
      {props.resolved !== undefined && errors.length === 0 && !isSuggesting && (
        <p
          className="truncate font-mono text-xs text-muted-foreground"
          title={safeText(props.resolved)}
        >
          <span aria-hidden>→ </span>
          <span className="sr-only">{label} becomes </span>
          {props.resolved === "" ? "(empty)" : safeText(props.resolved)}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {hint}
        </p>
      )}
      {errors.length > 0 && (
        <FieldErrors
          id={`${id}-errors`}
          errors={errors.map((error) =>
            isLabelHidden ? describeFieldError(error) : named(label, describeFieldError(error)),
          )}
          fixes={(index) => {
            const name = missing[index] ?? null;
            if (name === null) return [];
            const fixed = addDefault(value, name, place);
            const limit = offerLimit(name);
            return [
              ...(fixed === value
                ? []
                : [{ label: "Use a default", apply: () => onChange(fixed) }]),
              ...(limit === null ? [] : [{ label: limit.label, apply: limit.accept }]),
            ];
          }}
        />
      )}
    </div>
  );
}

/** An error that starts with a lowercase letter continues the field's name. */
function named(label: string, error: string): string {
  return error.startsWith("must ") ? `${label} ${error}.` : error;
}

const markClasses = {
  template: "rounded-sm bg-primary/15 **:text-foreground!",
  missing:
    "rounded-sm bg-negative-ground underline decoration-negative decoration-wavy **:text-foreground!",
};

function useMarks(missing: readonly string[]): (text: string) => readonly Mark[] {
  const key = JSON.stringify(missing);
  return useMemo(() => {
    const names = JSON.parse(key) as readonly string[];
    return (text) => {
      let from = 0;
      return splitTemplates(text, names).flatMap((part) => {
        const to = from + part.text.length;
        const mark = part.kind === "text" ? [] : [{ from, to, className: markClasses[part.kind] }];
        from = to;
        return mark;
      });
    };
  }, [key]);
}
