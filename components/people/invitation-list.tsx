"use client";

import { useState } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { Role } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { InvitationLink, type SentView } from "./invitation-link.tsx";
import { roleWords } from "./role-words.ts";

type InvitationView = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
};

type InvitationCommands = {
  readonly resend: (id: string) => Promise<CommandResult<SentView>>;
  readonly revoke: (id: string) => Promise<CommandResult<null>>;
};

type InvitationListProps = InvitationCommands & {
  readonly invitations: readonly InvitationView[];
  readonly nowMs: number;
};

/** Invitations that are still open. */
export function InvitationList({ invitations, ...rest }: InvitationListProps) {
  const [sent, setSent] = useState<SentView | null>(null);
  return (
    <>
      <Card>
        <ul className="divide-y" aria-label="Invitations">
          {invitations.map((each) => (
            <InvitationRow key={each.id} invitation={each} onSent={setSent} {...rest} />
          ))}
        </ul>
      </Card>
      <Dialog isOpen={sent !== null} onClose={() => setSent(null)} title="New link" isWide>
        {sent !== null && <InvitationLink sent={sent} />}
        <DialogButtons>
          <Button look="secondary" onClick={() => setSent(null)}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}

type RowProps = Omit<InvitationListProps, "invitations"> & {
  readonly invitation: InvitationView;
  readonly onSent: (sent: SentView) => void;
};

function InvitationRow({ invitation, nowMs, resend, revoke, onSent }: RowProps) {
  const { id, role, invitedBy, expiresAt } = invitation;
  const email = safeText(invitation.email);
  const isExpired = expiresAt.getTime() <= nowMs;
  async function sendAgain() {
    const result = await resend(id);
    if (result.ok) onSent(result.value);
    return result;
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{email}</span>
          {isExpired && <Badge tone="caution">Expired</Badge>}
        </span>
        <span className="truncate text-muted-foreground">
          {roleWords[role].name}
          {invitedBy !== null && ` · invited by ${safeText(invitedBy)}`}
          {!isExpired && (
            <>
              {" · expires "}
              <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
            </>
          )}
        </span>
      </div>
      <Allowed to="members:write">
        <CommandButton ariaLabel={`Resend the invitation of ${email}`} run={sendAgain}>
          Resend
        </CommandButton>
        <ConfirmButton
          label="Revoke"
          ariaLabel={`Revoke the invitation of ${email}`}
          title={`Revoke the invitation of ${email}?`}
          keepLabel="Cancel"
          confirmLabel="Revoke invitation"
          run={() => revoke(id)}
        >
          <p>Its link stops working immediately.</p>
        </ConfirmButton>
      </Allowed>
    </li>
  );
}
