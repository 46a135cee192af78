"use client";

import "./globals.css";
import { MessagePage } from "#components/shell/message-page.tsx";
import { Button } from "#components/ui/button/button.tsx";

/** Shown when the root layout fails, so it renders its own document. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <title>Catchment</title>
        <main>
          <MessagePage title="This page couldn't be loaded">
            <p>Try again in a moment. If it happens again, the server's log says why.</p>
            <Button onClick={() => window.location.reload()}>Try again</Button>
          </MessagePage>
        </main>
      </body>
    </html>
  );
}
