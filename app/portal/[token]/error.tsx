"use client";

import { MessagePage } from "#components/shell/message-page.tsx";
import { Button } from "#components/ui/button/button.tsx";

export default function PortalError({ reset }: { reset: () => void }) {
  return (
    <MessagePage title="This page couldn't be loaded">
      <p>Try again in a moment. Your webhooks don't depend on this page.</p>
      <Button onClick={reset}>Try again</Button>
    </MessagePage>
  );
}
