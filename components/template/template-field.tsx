"use client";

import { useId, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { safeText } from "#components/ui/safe-text.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import {
  addDefault,
  readMissingName,
  splitTemplates,
  type TemplatePart,
} from "./template-marks.ts";
import { useCompletion } from "./use-completion.ts";

type TemplateFieldProps = {
  readonly label: string;
  /** For screen readers only: the visible label is above the column. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Minimum number of lines, growing as needed; default: a single-line field. */
  readonly rows?: number;
  readonly place?: "text" | "json";
  readonly placeholder?: string;
  readonly hint?: string;
  readonly errors?: readonly string[];
  /** What it renders to for the chosen delivery. */
  readonly resolved?: string | undefined;
};

/**
 * A field for text with `{{ … }}`. It highlights templates, those with unknown names in red, and
 * suggests names and filters. A copy of the text behind the field carries the highlights, because a
 * text field can't.
 */
export function TemplateField(props: TemplateFieldProps) {
  const {
    label,
    isLabelHidden = false,
    value,
    onChange,
    rows,
    place = "text",
    placeholder,
    hint,
  } = props;
  const id = useId();
  const control = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(value, place);
  const { suggestions, active } = completion;
  const isOpen = suggestions.length > 0;
  // Half a name is no error yet.
  const errors = isOpen
    ? []
    : (props.errors ?? []).map((error) => (isLabelHidden ? error : named(label, error)));
  const missing = errors.flatMap((error) => readMissingName(error) ?? []);
  const isOneLine = rows === undefined;
  const [marker, top] = useMarker(isOpen && !isOneLine, value);
  const describedBy = [
    hint !== undefined && `${id}-hint`,
    errors.length > 0 && `${id}-errors`,
  ].filter(Boolean);

  return (
    <div className="grid min-w-0 flex-1 gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      <div className="relative min-w-0">
        <div
          className={classNames(
            "grid rounded-md border bg-card focus-within:outline-2 focus-within:outline-ring",
            errors.length > 0 ? "border-negative" : "border-input",
          )}
        >
          <Marks
            parts={splitTemplates(value, missing)}
            caret={isOpen ? completion.caret : null}
            marker={marker}
          />
          <textarea
            ref={control}
            id={id}
            value={value}
            placeholder={placeholder}
            rows={rows ?? 1}
            spellCheck={false}
            autoComplete="off"
            data-template={place}
            aria-invalid={errors.length > 0}
            aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(" ")}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={isOpen ? `${id}-list` : undefined}
            aria-activedescendant={isOpen ? `${id}-list-${active}` : undefined}
            onChange={(event) => {
              const text = event.target.value;
              onChange(isOneLine ? text.replace(/\r?\n/g, "") : text);
              completion.openAt(event.target);
            }}
            onSelect={(event) => {
              if (
                completion.caret !== null &&
                completion.caret !== event.currentTarget.selectionStart
              )
                completion.close();
            }}
            onKeyDown={(event) => {
              if (!completion.onKeyDown(event) && isOneLine && event.key === "Enter")
                event.preventDefault();
            }}
            onBlur={completion.close}
            className={classNames(
              text,
              "resize-none overflow-hidden bg-transparent outline-none placeholder:text-muted-foreground",
            )}
          />
        </div>
        {isOpen && (
          <SuggestionList
            id={`${id}-list`}
            suggestions={suggestions}
            active={active}
            top={isOneLine ? undefined : top}
            onAccept={(suggestion) =>
              control.current && completion.accept(control.current, suggestion)
            }
          />
        )}
        <span aria-live="polite" className="sr-only">
          {isOpen && `${suggestions.length} suggestions, arrow keys to choose, Enter to insert`}
        </span>
      </div>
      {props.resolved !== undefined && errors.length === 0 && !isOpen && (
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
          errors={errors}
          fix={(error) => {
            const name = readMissingName(error);
            const mended = name === null ? value : addDefault(value, name, place);
            return mended === value ? null : () => onChange(mended);
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

/** Both layers must wrap lines alike. */
const text =
  "col-start-1 row-start-1 block min-h-[34px] w-full min-w-0 px-3 py-[8px] font-mono text-xs leading-4 whitespace-pre-wrap [overflow-wrap:anywhere]";

type MarksProps = {
  readonly parts: readonly TemplatePart[];
  /** Where to show the suggestions; null: there are none. */
  readonly caret: number | null;
  readonly marker: React.RefObject<HTMLSpanElement | null>;
};

function Marks({ parts, caret, marker }: MarksProps) {
  const before =
    caret === null
      ? ""
      : parts
          .map((part) => part.text)
          .join("")
          .slice(0, caret);
  return (
    <>
      <div
        aria-hidden
        className={classNames(text, "pointer-events-none text-transparent select-none")}
      >
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by position only
          <span key={index} className={markClasses[part.kind]}>
            {part.text}
          </span>
        ))}
        {/* An empty last line has no height of its own. */}
        {"\u200b"}
      </div>
      {caret !== null && (
        <div aria-hidden className={classNames(text, "pointer-events-none invisible")}>
          {before}
          <span ref={marker}>{"\u200b"}</span>
        </div>
      )}
    </>
  );
}

const markClasses: Readonly<Record<TemplatePart["kind"], string>> = {
  text: "",
  template: "rounded-sm bg-primary/15",
  missing: "rounded-sm bg-negative-ground underline decoration-negative decoration-wavy",
};

/** The distance from the field's top to the bottom of the caret's line. */
function useMarker(isOn: boolean, value: string) {
  const marker = useRef<HTMLSpanElement>(null);
  const [top, setTop] = useState<number>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the marker moves with the text
  useLayoutEffect(() => {
    const span = marker.current;
    setTop(isOn && span !== null ? span.offsetTop + span.offsetHeight + 4 : undefined);
  }, [isOn, value]);

  return [marker, top] as const;
}
