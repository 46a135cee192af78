"use client";

import { useId } from "react";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { type Codec, optionalNumber } from "#components/ui/form/codec.ts";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import type { FindField } from "#components/ui/form/field-of.ts";
import { Field } from "#components/ui/form/fields.tsx";
import {
  type HookReplyView,
  type ReplyingAction,
  type ResponseDraft,
  type ResponseForm,
  replyOf,
} from "./reply-draft.ts";
import { ReplyFields } from "./reply-fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

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
  const { actions } = hook;
  const section = useSection({
    fields: { response: ownResponse, reply: replyOf(actions) },
    hook,
    save,
  });
  return (
    <Section title="Response" lead="What the provider receives.">
      <SectionForm section={section}>
        <ResponseFields of={section.of} fields={section.fields} />
        <div className="grid grid-cols-1 gap-4 border-t pt-4">
          <ReplyFields hookId={hook.id} of={section.of} actions={actions} fields={section.fields} />
        </div>
      </SectionForm>
    </Section>
  );
}

const ownResponse: Codec<HookResponseView | null, ResponseDraft> = {
  text: (response) => ({
    mode: response === null ? "ours" : "own",
    status: optionalNumber.text(response?.status ?? 200),
    type: response?.headers["content-type"] ?? "",
    body: response?.body ?? "",
  }),
  read: ({ mode, status, type, body }) => {
    if (mode === "ours") return null;
    const headers = type.trim() === "" ? {} : { "content-type": type.trim() };
    return { status: optionalNumber.read(status), headers, body };
  },
};

type ResponseFieldsProps = {
  readonly of: FindField<ResponseForm>;
  /** Errors by field. */
  readonly fields: Readonly<Record<string, string>>;
};

function ResponseFields({ of, fields }: ResponseFieldsProps) {
  const bodyId = useId();
  const { mode, status, type } = of("response").value;
  const body = of("response", "body");
  const typeError = fields["response.headers.content-type"] ?? fields["response.headers"];
  return (
    <>
      <ChoiceGroup
        label="When a delivery is stored"
        name="response-mode"
        columns={2}
        value={mode}
        onChange={of("response", "mode").onChange}
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
            <Field of={of("response", "status")} label="Status" inputMode="numeric" />
            <Field
              of={{ ...of("response", "type"), error: typeError }}
              label="Content type"
              spellCheck={false}
              placeholder="text/plain"
            />
          </div>
          <FieldFrame id={bodyId} label="Body" error={body.error}>
            <textarea
              id={bodyId}
              rows={4}
              spellCheck={false}
              value={body.value}
              onChange={(event) => body.onChange(event.target.value)}
              aria-invalid={body.error !== undefined}
              aria-describedby={describedBy(bodyId, undefined, body.error)}
              className={`${control} h-auto py-2 font-mono text-xs leading-5`}
            />
          </FieldFrame>
        </>
      )}
      <Preview
        status={mode === "ours" ? "200" : status}
        type={mode === "ours" ? "application/json" : type}
        body={mode === "ours" ? ours : body.value}
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
