import type { Metadata } from "next";
import { InvitationList } from "#components/people/invitation-list.tsx";
import { InviteButton } from "#components/people/invite-button.tsx";
import { MemberList } from "#components/people/member-list.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { readPeople } from "#lib/services/members.ts";
import {
  changeRoleCommand,
  inviteCommand,
  removeMemberCommand,
  resendInvitationCommand,
  revokeInvitationCommand,
} from "#lib/web/account/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage() {
  const session = await requireSession();
  const context = await pageContext();
  const { members, invitations, sendsEmail } = await readPeople(context, {});
  const nowMs = context.now().getTime();
  return (
    <>
      <PageHeader title="People" lead="Everyone who can open this account, and what they may do.">
        <Allowed to="members:write">
          <InviteButton most={session.role} sendsEmail={sendsEmail} invite={inviteCommand} />
        </Allowed>
      </PageHeader>
      <MemberList
        members={members}
        own={session}
        nowMs={nowMs}
        changeRole={changeRoleCommand}
        remove={removeMemberCommand}
      />
      {invitations.length > 0 && (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="invitations">
          <h2 id="invitations" className="font-semibold">
            Invited
          </h2>
          <InvitationList
            invitations={invitations}
            nowMs={nowMs}
            resend={resendInvitationCommand}
            revoke={revokeInvitationCommand}
          />
        </section>
      )}
    </>
  );
}
