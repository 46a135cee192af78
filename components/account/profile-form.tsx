"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ProfileFormProps = {
  readonly name: string;
  readonly email: string;
  /** Null: that of the browser. */
  readonly timeZone: string | null;
  readonly timeZones: readonly string[];
  readonly saveProfile: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** A new email is a new way to sign in, so it needs the password. */
export function ProfileForm(props: ProfileFormProps) {
  const { name, email, timeZone, timeZones, saveProfile } = props;
  const [entered, setEntered] = useState(email);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([key, value]) => [key, String(value)]));
    const result = await saveProfile(input);
    if (result.ok) toast("Profile saved.");
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
        error={fields.email}
      />
      {isOther && (
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          hint="Required to change your email."
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
