"use client";

import "./globals.css";
import { MessagePage } from "#components/shell/message-page.tsx";
import { RetryButton } from "#components/shell/retry-button.tsx";

/** Shown when the root layout fails, so it renders its own document. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <title>Catchment</title>
        <main>
          <MessagePage title="This page couldn't be loaded">
            <p>
              Catchment tries again every few seconds. If it keeps failing, the server's log says
              why.
            </p>
            <RetryButton retry={reload} />
          </MessagePage>
        </main>
      </body>
    </html>
  );
}

const reload = () => window.location.reload();
