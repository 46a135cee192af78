"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ProfileFormProps = {
  readonly name: string;
  readonly email: string;
  /** Null: that of the browser. */
  readonly timeZone: string | null;
  readonly timeZones: readonly string[];
  /** Without, no one can confirm a new email. */
  readonly sendsEmail: boolean;
  /** Returns the email to which a link was sent. Null: it stays. */
  readonly saveProfile: (input: Record<string, string>) => Promise<CommandResult<string | null>>;
};

/** A new email is a new way to sign in, so it needs the password, and a link that is sent there. */
export function ProfileForm(props: ProfileFormProps) {
  const { name, email, timeZone, timeZones, sendsEmail, saveProfile } = props;
  const [entered, setEntered] = useState(email);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([key, value]) => [key, String(value)]));
    const result = await saveProfile(input);
    if (!result.ok) return result;
    const sentTo = result.value;
    toast(
      sentTo === null ? "Profile saved." : `Profile saved. A link was sent to ${safeText(sentTo)}.`,
    );
    // Until the link is opened, the email is what it was.
    setEntered(email);
    return result;
  });
  const isOther = entered.trim().toLowerCase() !== email;
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        defaultValue={name}
        error={fields.name}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
        readOnly={!sendsEmail}
        {...(!sendsEmail && { hint: cannotChange(email) })}
        error={fields.email}
      />
      {isOther && (
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          hint="Required to change your email. You get a link there to confirm it."
          error={fields.password}
        />
      )}
      <SelectField
        label="Time zone"
        name="timeZone"
        defaultValue={timeZone ?? ""}
        hint="For the times that the dashboard shows to you."
        error={fields.timeZone}
      >
        <option value="">Same as this browser</option>
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </SelectField>
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save profile
        </Button>
      </div>
    </Form>
  );
}

function cannotChange(email: string): string {
  return (
    "This server sends no email, so no one could confirm a new one. The person who runs it can change yours: " +
    `npm run server -- change-email ${safeText(email)} NEW`
  );
}
