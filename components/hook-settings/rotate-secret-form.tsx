"use client";

import { useState } from "react";
import { SecretField } from "#components/providers/secret-field.tsx";
import type { SecretShape } from "#components/providers/secret-hints.ts";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ExpireSecret, type HookSecretView, SecretList } from "./secret-list.tsx";

export type RotateSecret = (
  hookId: string,
  rotation: { secret: string; expirePreviousAfterSeconds: number },
) => Promise<CommandResult<{ readonly warnings: readonly string[] }>>;

type RotateSecretFormProps = {
  readonly hookId: string;
  readonly help: string | null;
  readonly shape: SecretShape | null;
  /** Active secrets, newest first. */
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rotateSecret: RotateSecret;
  readonly expire: ExpireSecret;
};

const overlaps = [
  { seconds: 3_600, words: "for 1 more hour" },
  { seconds: 86_400, words: "for 24 more hours" },
  { seconds: 604_800, words: "for 7 more days" },
  { seconds: 0, words: "expire it now" },
] as const;

/** Adds a secret beside the old one, so that no event is lost while the provider switches. */
export function RotateSecretForm(props: RotateSecretFormProps) {
  const { hookId, help, shape, secrets, nowMs, rotateSecret } = props;
  const [seconds, setSeconds] = useState(86_400);
  const { result, fields, rejection, isPending, onSubmit } = useCommand((form) =>
    rotateSecret(hookId, {
      secret: String(form.get("secret")),
      expirePreviousAfterSeconds: seconds,
    }),
  );
  const hasOld = secrets.length > 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      {hasOld ? (
        <SecretList hookId={hookId} secrets={secrets} nowMs={nowMs} expire={props.expire} />
      ) : (
        <Notice tone="caution">Add a secret to verify deliveries.</Notice>
      )}
      <Form onSubmit={onSubmit} rejection={rejection}>
        {result?.ok === true && <Notice tone="positive">The new secret is active.</Notice>}
        {result?.ok === true &&
          result.value.warnings.map((warning) => (
            <Notice key={warning} tone="caution">
              {warning}
            </Notice>
          ))}
        <SecretField
          key={secrets.map(({ id }) => id).join()}
          label="New secret"
          name="secret"
          help={help}
          shape={shape}
          error={fields.secret}
        />
        {hasOld && (
          <SelectField
            label="Keep the current secret active"
            name="overlap"
            value={String(seconds)}
            onChange={(event) => setSeconds(Number(event.target.value))}
            hint={
              seconds === 0 ? (
                "Deliveries signed with the current secret are rejected immediately."
              ) : (
                <>
                  Deliveries signed with either secret are accepted until{" "}
                  <UntilTime untilMs={nowMs + seconds * 1_000} nowMs={nowMs} />, so nothing is lost
                  while the provider changes over.
                </>
              )
            }
          >
            {overlaps.map((overlap) => (
              <option key={overlap.seconds} value={overlap.seconds}>
                {overlap.words}
              </option>
            ))}
          </SelectField>
        )}
        <div>
          <Button type="submit" look="secondary" isBusy={isPending}>
            {hasOld ? "Rotate secret" : "Add secret"}
          </Button>
        </div>
      </Form>
    </div>
  );
}
