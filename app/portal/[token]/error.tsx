"use client";

import { MessagePage } from "#components/shell/message-page.tsx";
import { Button } from "#components/ui/button/button.tsx";

export default function PortalError({ reset }: { reset: () => void }) {
  return (
    <MessagePage title="This page couldn't be loaded">
      <p>Your webhooks are still being sent. Try again in a moment.</p>
      <Button onClick={reset}>Try again</Button>
    </MessagePage>
  );
}
