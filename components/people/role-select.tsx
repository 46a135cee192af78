"use client";

import { useState, useTransition } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { control } from "#components/ui/form/field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { isAtLeast, isRole, type Role, roles } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { roleWords } from "./role-words.ts";

function withArticle(role: Role): string {
  return `${/^[ao]/.test(role) ? "an" : "a"} ${role}`;
}

type RoleSelectProps = {
  /** The name of the member. */
  readonly name: string;
  readonly role: Role;
  /** The highest role that can be chosen. */
  readonly most: Role;
  readonly change: (role: Role) => Promise<CommandResult<null>>;
};

/** Changes a member's role when another one is chosen. An error takes the choice back. */
export function RoleSelect({ name, role, most, change }: RoleSelectProps) {
  const [chosen, setChosen] = useState<Role | null>(null);
  const [message, setMessage] = useState("");
  const [isPending, startTransition] = useTransition();

  function onChange(next: string) {
    if (!isRole(next)) return;
    setChosen(next);
    startTransition(async () => {
      const result = await change(next).catch(() => serverUnreachable);
      startTransition(() => {
        setChosen(null);
        setMessage(result.ok ? "" : result.message);
      });
      if (result.ok) toast(`${name} is now ${withArticle(next)}.`);
    });
  }

  return (
    <span className="grid gap-1">
      <select
        aria-label={`Role of ${name}`}
        value={chosen ?? role}
        disabled={isPending}
        onChange={(event) => onChange(event.target.value)}
        className={`${control} w-28`}
      >
        {roles
          .filter((each) => isAtLeast(most, each))
          .map((each) => (
            <option key={each} value={each}>
              {roleWords[each].name}
            </option>
          ))}
      </select>
      <span aria-live="polite" className="max-w-64 text-negative empty:hidden">
        {message}
      </span>
    </span>
  );
}
