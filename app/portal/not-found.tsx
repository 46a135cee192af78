import { MessagePage } from "#components/shell/message-page.tsx";

/** The link is unknown, expired, or revoked. Only the account learns which. */
export default function PortalLinkEnded() {
  return (
    <main>
      {/* Next takes no title from here, since the layout below is what ends. */}
      <title>Link expired</title>
      <MessagePage title="This link no longer works">
        <p>
          It has expired, was revoked, or isn't complete. Open the page where you found it again, or
          ask the company that sent it for a new link.
        </p>
        <p>Your webhooks don't depend on this link.</p>
      </MessagePage>
    </main>
  );
}
