"use client";

import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Tabs } from "#components/ui/layout/tabs.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ChallengeGuideProps = {
  /** The problem that the last try found. */
  readonly problem: string | null;
  /** Null: the link may not change subscriptions. */
  readonly check: (() => Promise<CommandResult<null>>) | null;
};

const ways = [
  {
    id: "node",
    title: "Node.js",
    code: `app.post("/webhooks", (request, response) => {
  const challenge = request.get("webhook-challenge");
  if (challenge) return response.set("webhook-challenge", challenge).end();
  // … verify the signature, then use the event
});`,
  },
  {
    id: "python",
    title: "Python",
    code: `@app.post("/webhooks")
def receive():
    challenge = request.headers.get("webhook-challenge")
    if challenge:
        return "", 200, {"webhook-challenge": challenge}
    # … verify the signature, then use the event`,
  },
  {
    id: "php",
    title: "PHP",
    code: `if (isset($_SERVER['HTTP_WEBHOOK_CHALLENGE'])) {
    header('webhook-challenge: ' . $_SERVER['HTTP_WEBHOOK_CHALLENGE']);
    exit;
}
// … verify the signature, then use the event`,
  },
  {
    id: "http",
    title: "HTTP",
    code: `POST /webhooks HTTP/1.1
webhook-challenge: 5Zb0…

HTTP/1.1 200 OK
webhook-challenge: 5Zb0…`,
  },
];

/** The challenge that a receiver must answer to get events, and a button to try again. */
export function ChallengeGuide({ problem, check }: ChallengeGuideProps) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-4 sm:p-5">
      <div className="grid gap-1.5">
        <h2 className="font-semibold">Answer the challenge</h2>
        <p className="text-sm text-muted-foreground">
          This proves that the URL is yours and wants events. We send a POST with the header{" "}
          <code className="font-mono text-xs">webhook-challenge</code>. Respond with a 2xx status
          and the same header. The CloudEvents handshake (
          <code className="font-mono text-xs">WebHook-Request-Origin</code>) works too.
        </p>
      </div>
      {problem !== null && <p className="text-sm text-caution">{problem}</p>}
      <div className="rounded-md border">
        <Tabs
          label="Answer the challenge"
          tabs={ways.map(({ id, title, code }) => ({
            id,
            title,
            panel: (
              <div className="grid grid-cols-1 justify-items-end gap-2">
                <CopyButton text={code} what={`${title} challenge code`} />
                <div className="w-full min-w-0">
                  <TextBlock label={`${title} challenge code`} text={code} keepsLines />
                </div>
              </div>
            ),
          }))}
        />
      </div>
      {check !== null && (
        <div>
          <CommandButton look="primary" done="The URL answered. Events are on." run={check}>
            Check again
          </CommandButton>
        </div>
      )}
    </Card>
  );
}
