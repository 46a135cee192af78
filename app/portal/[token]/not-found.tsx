import { MessagePage } from "#components/shell/message-page.tsx";

/** The link works, but its target doesn't exist or isn't included. */
export default function PortalNotFound() {
  return (
    <MessagePage title="Page not found">
      <p>It may have been deleted, or your link doesn't include it.</p>
    </MessagePage>
  );
}
