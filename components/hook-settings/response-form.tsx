"use client";

import { useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { control, describedBy, FieldFrame, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

export type HookReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type ReplyFormProps = {
  readonly hookId: string;
  readonly answer: HookReply | null;
  readonly save: SaveHook;
};

const ours = '{"status":"accepted","deliveryId":"01a1f…"}';

/** The response to a stored delivery. */
export function ResponseForm({ hookId, answer, save }: ReplyFormProps) {
  const bodyId = useId();
  const [mode, setMode] = useState<"ours" | "own">(answer === null ? "ours" : "own");
  const [status, setStatus] = useState(String(answer?.status ?? 200));
  const [type, setType] = useState(answer?.headers["content-type"] ?? "");
  const [body, setBody] = useState(answer?.body ?? "");
  const { fields, rejection, isPending, onSubmit } = useCommand(async () => {
    const headers = type.trim() === "" ? {} : { "content-type": type.trim() };
    const own = { status: Number(status.trim() === "" ? Number.NaN : status), headers, body };
    const result = await save(hookId, { response: mode === "ours" ? null : own });
    if (result.ok) toast("Saved. New deliveries get this response.");
    return result;
  });
  const bodyError = fields["response.body"];
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <ChoiceGroup
        label="When a delivery is stored"
        name="answer-mode"
        columns={2}
        value={mode}
        onChange={setMode}
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
              onChange={(event) => setStatus(event.target.value)}
              error={fields["response.status"]}
            />
            <TextField
              label="Content type"
              name="contentType"
              autoComplete="off"
              spellCheck={false}
              placeholder="text/plain"
              value={type}
              onChange={(event) => setType(event.target.value)}
              error={fields["response.headers.content-type"] ?? fields["response.headers"]}
            />
          </div>
          <FieldFrame id={bodyId} label="Body" error={bodyError}>
            <textarea
              id={bodyId}
              rows={4}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
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
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function Preview({ status, type, body }: { status: string; type: string; body: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">The provider receives</p>
      <pre className="rounded-md bg-muted px-3 py-2 font-mono text-xs leading-5 break-all whitespace-pre-wrap">
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
