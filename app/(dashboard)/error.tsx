"use client";

import { MessagePage } from "#components/shell/message-page.tsx";
import { RetryButton } from "#components/shell/retry-button.tsx";

export default function ErrorPage({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  return (
    <MessagePage title="This page couldn't be loaded">
      <p>
        Catchment tries again every few seconds. If it keeps failing, the server's log says why
        {error.digest !== undefined && `: look for ${error.digest}`}.
      </p>
      <RetryButton retry={retry} />
    </MessagePage>
  );
}
