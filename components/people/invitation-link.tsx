import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

/** An invitation that was just created or renewed. */
export type SentView = {
  readonly emailAddress: string;
  /** Null: it was sent, and only the person has it. */
  readonly url: string | null;
  readonly email:
    | { readonly state: "sent" | "off" }
    | { readonly state: "failed"; message: string };
};

/** Whether an invitation was sent by email. If it wasn't, its link, once. */
export function InvitationLink({ sent: { emailAddress, url, email } }: { sent: SentView }) {
  const address = safeText(emailAddress);
  return (
    <div className="grid gap-4">
      {email.state === "sent" && (
        <Notice tone="positive">
          The invitation was sent to {address}. Only they have its link.
        </Notice>
      )}
      {email.state === "failed" && (
        <Notice tone="caution">
          The email to {address} couldn't be sent: {safeText(email.message)} Send them the link
          yourself.
        </Notice>
      )}
      {email.state === "off" && (
        <Notice tone="positive">Send this link to {address}. You won't see it again.</Notice>
      )}
      {url !== null && <CopyLine text={url} what="link" look="primary" testId="invitation-link" />}
      <p className="text-sm text-muted-foreground">
        The link works once, for 7 days, and only for {address}.
      </p>
    </div>
  );
}
