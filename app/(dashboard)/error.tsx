"use client";

import { MessagePage } from "#components/shell/message-page.tsx";
import { Button } from "#components/ui/button/button.tsx";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <MessagePage title="This page couldn't be loaded">
      <p>
        Deliveries are caught all the same. Try again in a moment; if it stays, look into the
        server's log
        {error.digest !== undefined && ` for ${error.digest}`}.
      </p>
      <Button onClick={reset}>Try again</Button>
    </MessagePage>
  );
}
