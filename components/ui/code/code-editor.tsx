"use client";

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { classNames } from "#components/ui/class-names.ts";
import type { OpenEditor } from "./open-editor.ts";
import type { Completer, Mark } from "./suggestion.ts";

type CodeEditorProps = {
  /** Its label has the id `<id>-label`, unless `label` is set. */
  readonly id: string;
  /** A label for screen readers only. */
  readonly label?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The minimum number of lines. Omitted: one line. */
  readonly rows?: number | undefined;
  readonly language?: "json" | "javascript";
  readonly placeholder?: string | undefined;
  readonly completer?: Completer;
  readonly suggestsOnFocus?: boolean;
  readonly onSuggestions?: (count: number) => void;
  /** Memoized: a new function redraws the marks. */
  readonly marks?: (text: string) => readonly Mark[];
  /** Called on focus, and when the cursor moves. `before` is the text before it. */
  readonly onCursor?: (editor: OpenEditor, before: string) => void;
  readonly onDrop?: (dropped: string, before: string) => string | null;
};

/**
 * A field for code. The editor is loaded after the page. Until then a disabled field shows the
 * text, and it becomes an ordinary field if the editor can't be loaded.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { id, label, describedBy, isInvalid = false, value, marks } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor>(null);
  const latest = useRef(props);
  latest.current = props;
  const editorText = useRef(value);
  const [stage, setStage] = useState<"loading" | "open" | "failed">("loading");
  const [offered, setOffered] = useState(0);
  const settings = useMemo(() => {
    const attributes = {
      id,
      "aria-invalid": String(isInvalid),
      ...(label === undefined ? { "aria-labelledby": `${id}-label` } : { "aria-label": label }),
      ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
    };
    return { attributes, marks };
  }, [id, label, describedBy, isInvalid, marks]);
  const latestSettings = useRef(settings);
  latestSettings.current = settings;

  useEffect(() => {
    let isGone = false;
    const load = () =>
      Promise.all([
        import("./open-editor.ts"),
        latest.current.language === "javascript" ? import("./javascript.ts") : null,
      ]);
    const open = ([{ openEditor }, code]: Awaited<ReturnType<typeof load>>) => {
      if (isGone || host.current === null) return;
      const { value: text, language, rows, completer } = latest.current;
      editorText.current = text;
      editor.current = openEditor(
        host.current,
        {
          text,
          language: language === "json" ? language : undefined,
          extension: code?.javascript(),
          rows,
          completer: completer && {
            complete: (...args) => latest.current.completer?.complete(...args) ?? null,
            apply: completer.apply,
          },
          suggestsOnFocus: latest.current.suggestsOnFocus === true,
          placeholder: latest.current.placeholder ?? "",
          onChange: (next) => {
            editorText.current = next;
            latest.current.onChange(next);
          },
          onSuggestions: (count) => {
            setOffered(count);
            latest.current.onSuggestions?.(count);
          },
          onCursor: (before) => {
            if (editor.current !== null) latest.current.onCursor?.(editor.current, before);
          },
          onDrop: (...args) => latest.current.onDrop?.(...args) ?? null,
        },
        latestSettings.current,
      );
      flushSync(() => setStage("open"));
    };
    void load().then(open, () => setStage("failed"));
    // A label only focuses native fields.
    const labelElement = document.getElementById(`${id}-label`);
    const focus = () => editor.current?.focus();
    labelElement?.addEventListener("click", focus);
    return () => {
      isGone = true;
      labelElement?.removeEventListener("click", focus);
      editor.current?.close();
      editor.current = null;
    };
  }, [id]);

  useLayoutEffect(() => editor.current?.configure(settings), [settings]);

  useLayoutEffect(() => {
    if (value === editorText.current) return;
    editorText.current = value;
    editor.current?.setText(value);
  }, [value]);

  return (
    <div
      className={classNames(
        "min-w-0 rounded-md border bg-card font-mono text-xs leading-4 " +
          "focus-within:outline-2 focus-within:outline-ring",
        isInvalid ? "border-negative" : "border-input",
      )}
    >
      <div ref={host} />
      {stage !== "open" && (
        <textarea
          {...settings.attributes}
          aria-invalid={isInvalid}
          rows={props.rows ?? 1}
          value={value}
          disabled={stage === "loading"}
          onChange={({ target }) =>
            props.onChange(
              props.rows === undefined ? target.value.replace(/\r?\n/g, "") : target.value,
            )
          }
          placeholder={props.placeholder}
          spellCheck={false}
          autoComplete="off"
          className={classNames(
            "block w-full resize-none bg-transparent px-3 py-[9px] leading-4 " +
              "outline-none placeholder:text-muted-foreground [overflow-wrap:anywhere]",
            // The field is as tall as the editor that replaces it, which has at least `rows` lines.
            props.rows === undefined && "field-sizing-content",
          )}
        />
      )}
      <span aria-live="polite" className="sr-only">
        {offered > 0 && `${offered} suggestions, arrow keys to choose, Enter to insert`}
      </span>
    </div>
  );
}
