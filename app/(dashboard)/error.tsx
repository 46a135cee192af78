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
        Try again in a moment. If it happens again, the server's log says why
        {error.digest !== undefined && `: look for ${error.digest}`}.
      </p>
      <Button onClick={reset}>Try again</Button>
    </MessagePage>
  );
}
