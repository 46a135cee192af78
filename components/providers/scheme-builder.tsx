"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import { describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { exampleHeaders } from "./example-headers.ts";
import { toSchemeDraft } from "./read-scheme-draft.ts";
import { newScheme, type SchemeDraft } from "./scheme-draft.ts";
import { SchemeFields } from "./scheme-fields.tsx";
import { toVerification } from "./to-verification.ts";

/**
 * A verification in the form: fields, or JSON if the user prefers it or the fields can't express
 * it.
 */
type SchemeInput =
  | { readonly mode: "fields"; readonly draft: SchemeDraft }
  | { readonly mode: "json"; readonly text: string };

export function newSchemeInput(stored: unknown): SchemeInput {
  if (stored === null) return { mode: "fields", draft: newScheme };
  const draft = toSchemeDraft(stored);
  return draft === null
    ? { mode: "json", text: JSON.stringify(stored, null, 2) }
    : { mode: "fields", draft };
}

/** The input for the API. Invalid JSON is sent as text, and the API's error explains it. */
export function readSchemeInput(input: SchemeInput): unknown {
  if (input.mode === "fields") return toVerification(input.draft);
  try {
    return JSON.parse(input.text);
  } catch {
    return input.text;
  }
}

type SchemeBuilderProps = {
  readonly input: SchemeInput;
  readonly onChange: (input: SchemeInput) => void;
  /** Errors by path, such as "verification.signed.template". */
  readonly fields: Readonly<Record<string, string>>;
};

/** The provider's signature scheme, step by step or as the API's JSON. */
export function SchemeBuilder({ input, onChange, fields }: SchemeBuilderProps) {
  const errors = ofVerification(fields);
  const [stuck, setStuck] = useState(false);

  function toFields() {
    const draft = input.mode === "json" ? toSchemeDraft(readSchemeInput(input)) : null;
    setStuck(draft === null);
    if (draft !== null) onChange({ mode: "fields", draft });
  }

  if (input.mode === "json") {
    return (
      <div className="grid grid-cols-1 gap-3">
        <SchemeJson
          text={input.text}
          onChange={(text) => onChange({ mode: "json", text })}
          errors={errors}
        />
        {stuck && (
          <Notice tone="caution">
            The form can't show this JSON, or it isn't complete yet. You can save it anyway.
          </Notice>
        )}
        <div>
          <Button look="secondary" onClick={toFields}>
            Edit as form
          </Button>
        </div>
      </div>
    );
  }
  const { draft } = input;
  return (
    <div className="grid grid-cols-1 gap-4">
      <SchemeFields
        draft={draft}
        onChange={(change) => onChange({ mode: "fields", draft: { ...draft, ...change } })}
        errors={errors}
      />
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Example request</p>
        <pre
          className={
            "overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono " +
            "text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
          }
        >
          {exampleHeaders(draft).join("\n")}
        </pre>
      </div>
      <div>
        <Button
          look="secondary"
          onClick={() => {
            setStuck(false);
            onChange({ mode: "json", text: JSON.stringify(toVerification(draft), null, 2) });
          }}
        >
          Edit as JSON
        </Button>
      </div>
    </div>
  );
}

function ofVerification(
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(fields).filter(([path]) => path.startsWith("verification"));
  return Object.fromEntries(
    own.map(([path, message]) => [path.replace(/^verification\.?/, ""), message]),
  );
}

type SchemeJsonProps = {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly errors: Readonly<Record<string, string>>;
};

function SchemeJson({ text, onChange, errors }: SchemeJsonProps) {
  const messages = Object.entries(errors).map(([path, words]) =>
    path === "" ? words : `${path} ${words}`,
  );
  const error = messages.length === 0 ? undefined : messages.join("; ");
  return (
    <FieldFrame id="verification-json" label="Verification as JSON" error={error}>
      <CodeEditor
        id="verification-json"
        language="json"
        rows={16}
        value={text}
        onChange={onChange}
        isInvalid={error !== undefined}
        describedBy={describedBy("verification-json", undefined, error)}
      />
    </FieldFrame>
  );
}
