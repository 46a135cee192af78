"use client";

import { type FormEvent, useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import type { CallTrial } from "#lib/schema/shown-call.ts";
import { sendTrial, type TrialResponse, type TrialValues, trialUrl } from "./send-trial.ts";
import { TokenPart } from "./token-part.tsx";
import type { TrialCommands } from "./trial-commands.ts";
import { TrialResult } from "./trial-result.tsx";
import { useTrialToken } from "./trial-token.ts";

type TrialFormProps = {
  readonly trial: CallTrial;
  readonly trier: { readonly account: string; readonly createsTokens: boolean };
  readonly createToken: TrialCommands["createToken"];
};

/** The fields of a call, and its real response. */
export function TrialForm({ trial, trier, createToken }: TrialFormProps) {
  const token = useTrialToken();
  const [values, setValues] = useState<TrialValues>({});
  const [body, setBody] = useState(trial.body ?? "");
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [rejection, setRejection] = useState<{ readonly message: string }>();
  const [response, setResponse] = useState<TrialResponse>();
  const bodyId = useId();
  const { parameters, summary } = trial;
  const optional = parameters.filter(({ isRequired }) => !isRequired);

  const toField = ({ name, hint, example }: CallTrial["parameters"][number]) => (
    <TextField
      key={name}
      label={name}
      name={name}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
      placeholder={example}
      value={values[name] ?? ""}
      onChange={({ target }) => setValues({ ...values, [name]: target.value })}
      error={missing.includes(name) ? "is required" : undefined}
    />
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    const empty = parameters
      .filter(({ name, isRequired }) => isRequired && (values[name] ?? "").trim() === "")
      .map(({ name }) => name);
    const lacking = token.text.trim() === "" ? ["token", ...empty] : empty;
    setMissing(lacking);
    if (lacking.length > 0) setRejection({ message: "Fill in what is missing." });
    else if (trial.isDestructive) setAsking(true);
    else void send();
  }

  async function send() {
    setRejection(undefined);
    setSending(true);
    try {
      setResponse(await sendTrial(trial, { token: token.text, values, body }));
    } catch {
      setRejection({
        message: "The server can't be reached. Check your connection and try again.",
      });
    } finally {
      setSending(false);
    }
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 rounded-md border bg-card p-4">
      <p className="text-sm text-muted-foreground">
        This is a real call on the account <b className="text-foreground">{trier.account}</b>.
      </p>
      <Form onSubmit={submit} rejection={rejection}>
        <TokenPart
          scope={trial.scope}
          canCreate={trier.createsTokens}
          createToken={createToken}
          error={missing.includes("token") ? "is required" : undefined}
        />
        {parameters.filter(({ isRequired }) => isRequired).map(toField)}
        {optional.length > 0 && (
          <details>
            <summary className="w-fit cursor-pointer rounded-sm py-1 text-sm font-medium">
              Optional parameters
            </summary>
            <div className="mt-3 grid gap-4">{optional.map(toField)}</div>
          </details>
        )}
        {trial.body !== null && (
          <div className="grid gap-1.5">
            <label htmlFor={bodyId} className="text-sm font-medium">
              Body
            </label>
            <textarea
              id={bodyId}
              rows={Math.min(16, Math.max(4, body.split("\n").length))}
              spellCheck={false}
              value={body}
              onChange={({ target }) => setBody(target.value)}
              className="control h-auto py-2 font-mono text-xs leading-5"
            />
          </div>
        )}
        <div>
          <Button
            type="submit"
            look={trial.isDestructive ? "danger" : "primary"}
            isBusy={isSending}
          >
            Send request
          </Button>
        </div>
      </Form>
      <div aria-live="polite">{response !== undefined && <TrialResult response={response} />}</div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`${summary}?`}
        keepLabel="Don't send"
        confirmLabel="Send request"
        run={async () => {
          await send();
          return { ok: true, value: null };
        }}
      >
        <p>
          This is a real call:{" "}
          <code className="font-mono break-words">
            {trial.method} {trialUrl(trial, values)}
          </code>
          . It can't be undone.
        </p>
      </ConfirmDialog>
    </div>
  );
}
