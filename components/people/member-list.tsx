"use client";

import { useAllowed } from "#components/permissions/role.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { isAtLeast, type Role } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { RoleSelect } from "./role-select.tsx";
import { roleWords } from "./role-words.ts";

type MemberView = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
};

type MemberCommands = {
  readonly changeRole: (id: string, role: Role) => Promise<CommandResult<null>>;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
};

type MemberListProps = MemberCommands & {
  readonly members: readonly MemberView[];
  /** The signed-in person. */
  readonly own: { readonly userId: string; readonly role: Role };
  readonly nowMs: number;
};

export function MemberList({ members, ...rest }: MemberListProps) {
  const ownersCount = members.filter(({ role }) => role === "owner").length;
  return (
    <Card>
      <ul className="divide-y" aria-label="Members">
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            isLastOwner={member.role === "owner" && ownersCount === 1}
            {...rest}
          />
        ))}
      </ul>
    </Card>
  );
}

type MemberRowProps = Omit<MemberListProps, "members"> & {
  readonly member: MemberView;
  readonly isLastOwner: boolean;
};

function MemberRow({ member, isLastOwner, own, nowMs, changeRole, remove }: MemberRowProps) {
  const { id, role, joinedAt } = member;
  const name = safeText(member.name);
  const isAllowed = useAllowed("members:write") && isAtLeast(own.role, role);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {id === own.userId && <Badge>You</Badge>}
        </span>
        <span className="truncate text-muted-foreground">
          {safeText(member.email)} · joined <RelativeTime at={joinedAt} nowMs={nowMs} />
        </span>
      </div>
      {isAllowed && !isLastOwner ? (
        <RoleSelect
          name={name}
          role={role}
          most={own.role}
          change={(next) => changeRole(id, next)}
        />
      ) : (
        <span
          className="px-2.5 text-muted-foreground"
          title={isLastOwner ? "An account needs an owner." : undefined}
        >
          {roleWords[role].name}
        </span>
      )}
      {isAllowed && id !== own.userId && (
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove ${name}`}
          title={`Remove ${name}?`}
          keepLabel="Cancel"
          confirmLabel="Remove member"
          run={() => remove(id)}
        >
          <p>
            They are signed out of this account immediately, and the API tokens that they created
            stop working. What they made stays.
          </p>
        </ConfirmButton>
      )}
    </li>
  );
}
