"use client";

import { MessagePage } from "#components/shell/message-page.tsx";
import { RetryButton } from "#components/shell/retry-button.tsx";

export default function PortalError({ retry }: { retry: () => void }) {
  return (
    <MessagePage title="This page couldn't be loaded">
      <p>It is tried again every few seconds. Your webhooks don't depend on this page.</p>
      <RetryButton retry={retry} />
    </MessagePage>
  );
}
