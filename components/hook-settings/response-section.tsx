"use client";

import { useId } from "react";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { control, describedBy, FieldFrame, TextField } from "#components/ui/form/field.tsx";
import {
  type HookReplyView,
  type ReplyingAction,
  toReplyDraft,
  toReplyInput,
} from "./reply-draft.ts";
import { ReplyFields } from "./reply-fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { readNumber, useSection } from "./use-section.ts";

/** The response to a stored delivery as in the API. */
type HookResponseView = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type ResponseSectionProps = {
  readonly hook: {
    readonly id: string;
    /** Null: the default response. */
    readonly response: HookResponseView | null;
    /** Null: no action replies. */
    readonly reply: HookReplyView | null;
    readonly actions: readonly ReplyingAction[];
  };
  readonly save: SaveHook;
};

const ours = '{"status":"accepted","deliveryId":"01a1f…"}';

/** The provider's response: a fixed one, or the reply of an action. */
export function ResponseSection({ hook, save }: ResponseSectionProps) {
  const { response, reply, actions } = hook;
  const section = useSection({
    hookId: hook.id,
    stored: { response: toResponseDraft(response), reply: toReplyDraft(reply, actions) },
    toChange: (draft) => ({
      response: toResponseInput(draft.response),
      reply: toReplyInput(draft.reply),
    }),
    save,
  });
  const { draft, change, fields } = section;
  return (
    <Section title="Response" lead="What the provider receives.">
      <SectionForm section={section}>
        <ResponseFields
          draft={draft.response}
          onChange={(next) => change({ response: next })}
          fields={fields}
        />
        <div className="grid grid-cols-1 gap-4 border-t pt-4">
          <ReplyFields
            hookId={hook.id}
            draft={draft.reply}
            onChange={(reply) => change({ reply })}
            actions={actions}
            fields={fields}
          />
        </div>
      </SectionForm>
    </Section>
  );
}

type ResponseDraft = {
  readonly mode: "ours" | "own";
  readonly status: string;
  readonly type: string;
  readonly body: string;
};

function toResponseDraft(response: HookResponseView | null): ResponseDraft {
  return {
    mode: response === null ? "ours" : "own",
    status: String(response?.status ?? 200),
    type: response?.headers["content-type"] ?? "",
    body: response?.body ?? "",
  };
}

function toResponseInput({ mode, status, type, body }: ResponseDraft) {
  if (mode === "ours") return null;
  const headers = type.trim() === "" ? {} : { "content-type": type.trim() };
  return { status: readNumber(status), headers, body };
}

type ResponseFieldsProps = {
  readonly draft: ResponseDraft;
  readonly onChange: (draft: ResponseDraft) => void;
  /** Errors by field. */
  readonly fields: Readonly<Record<string, string>>;
};

function ResponseFields({ draft, onChange, fields }: ResponseFieldsProps) {
  const bodyId = useId();
  const { mode, status, type, body } = draft;
  const change = (part: Partial<ResponseDraft>) => onChange({ ...draft, ...part });
  const bodyError = fields["response.body"];
  return (
    <>
      <ChoiceGroup
        label="When a delivery is stored"
        name="response-mode"
        columns={2}
        value={mode}
        onChange={(next) => change({ mode: next })}
        choices={[
          { value: "ours", title: "Default response", text: "200 with the id of the delivery." },
          {
            value: "own",
            title: "Custom response",
            text: "For providers that expect a specific response.",
          },
        ]}
      />
      {mode === "own" && (
        <>
          <div className="grid gap-4 sm:grid-cols-[8rem_1fr]">
            <TextField
              label="Status"
              name="status"
              inputMode="numeric"
              autoComplete="off"
              value={status}
              onChange={(event) => change({ status: event.target.value })}
              error={fields["response.status"]}
            />
            <TextField
              label="Content type"
              name="contentType"
              autoComplete="off"
              spellCheck={false}
              placeholder="text/plain"
              value={type}
              onChange={(event) => change({ type: event.target.value })}
              error={fields["response.headers.content-type"] ?? fields["response.headers"]}
            />
          </div>
          <FieldFrame id={bodyId} label="Body" error={bodyError}>
            <textarea
              id={bodyId}
              rows={4}
              spellCheck={false}
              value={body}
              onChange={(event) => change({ body: event.target.value })}
              aria-invalid={bodyError !== undefined}
              aria-describedby={describedBy(bodyId, undefined, bodyError)}
              className={`${control} h-auto py-2 font-mono text-xs leading-5`}
            />
          </FieldFrame>
        </>
      )}
      <Preview
        status={mode === "ours" ? "200" : status}
        type={mode === "ours" ? "application/json" : type}
        body={mode === "ours" ? ours : body}
      />
    </>
  );
}

function Preview({ status, type, body }: { status: string; type: string; body: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">The provider receives</p>
      <pre className="rounded-md bg-muted px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
        {[
          `HTTP/1.1 ${status}`,
          ...(type.trim() === "" ? [] : [`content-type: ${type.trim()}`]),
          "",
          body,
        ].join("\n")}
      </pre>
    </div>
  );
}
