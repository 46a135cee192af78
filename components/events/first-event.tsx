"use client";

import Link from "next/link";
import { type ReactNode, useState } from "react";
import { SecretOnce } from "#components/subscriptions/secret-once.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { NumberedStep, NumberedSteps } from "#components/ui/layout/numbered-steps.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ArrivedEvent, type ReadArrived } from "./arrived-event.tsx";

export type FirstEventProps = {
  readonly subscriptionCount: number;
  /** A shell command that publishes an event. It contains `placeholder`. */
  readonly command: string;
  /** The text that the token replaces. */
  readonly placeholder: string;
  /** The newest event before this page; empty: none. */
  readonly afterId: string;
  readonly createSubscription: (
    json: string,
  ) => Promise<CommandResult<{ readonly id: string; readonly secret: string }>>;
  readonly createToken: () => Promise<CommandResult<{ readonly token: string }>>;
  readonly readArrived: ReadArrived;
};

/** The first steps to a receiver's response: subscription, token, command. */
export function FirstEvent(props: FirstEventProps) {
  const { command, placeholder, afterId, readArrived } = props;
  const [token, setToken] = useState<string>();
  const shown = token === undefined ? command : command.replace(placeholder, token);
  return (
    <Card className="grid max-w-3xl min-w-0 grid-cols-1 gap-5 p-5">
      <ArrivedEvent afterId={afterId} read={readArrived} />
      <NumberedSteps>
        <NumberedStep number={1} title="Create a subscription">
          <SubscriptionStep {...props} />
        </NumberedStep>
        <NumberedStep number={2} title="Create an API token">
          <TokenStep isDone={token !== undefined} create={props.createToken} onToken={setToken} />
        </NumberedStep>
        <NumberedStep number={3} title="Publish an event">
          <p className="text-sm text-muted-foreground">
            Your server does this whenever something happens. Try it from a terminal.
          </p>
          <div className="grid grid-cols-1 gap-2" data-testid="publish-command">
            <TextBlock label="Command" text={shown} />
            <div>
              <CopyButton
                text={shown}
                what="command"
                label="Copy command"
                look={token === undefined ? "secondary" : "primary"}
              />
            </div>
          </div>
        </NumberedStep>
      </NumberedSteps>
    </Card>
  );
}

function SubscriptionStep({ subscriptionCount, createSubscription }: FirstEventProps) {
  const { result, fields, rejection, isPending, onSubmit } = useCommand((form) =>
    createSubscription(JSON.stringify({ receiverUrl: String(form.get("receiverUrl")).trim() })),
  );
  if (result?.ok === true) return <SecretOnce secret={result.value.secret} />;
  if (subscriptionCount > 0)
    return (
      <Done>
        You have {subscriptionCount.toLocaleString("en")}{" "}
        {subscriptionCount === 1 ? "subscription" : "subscriptions"}.{" "}
        <Link href="/subscriptions" className="underline underline-offset-4">
          View
        </Link>
      </Done>
    );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Receiver URL"
        name="receiverUrl"
        type="url"
        autoComplete="off"
        placeholder="https://example.com/webhooks"
        hint="It gets every event as a signed POST request."
        error={fields.receiverUrl}
      />
      <div>
        <Button type="submit" isBusy={isPending}>
          Create subscription
        </Button>
      </div>
    </Form>
  );
}

type TokenStepProps = {
  readonly isDone: boolean;
  readonly create: FirstEventProps["createToken"];
  readonly onToken: (token: string) => void;
};

function TokenStep({ isDone, create, onToken }: TokenStepProps) {
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await create();
    if (result.ok) onToken(result.value.token);
    return result;
  });
  if (isDone)
    return (
      <Notice tone="positive">
        The command below contains it. Copy it now. You won't see it again.
      </Notice>
    );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">
        It may only publish events, and expires in 90 days.{" "}
        <Link href="/account/tokens" className="underline underline-offset-4">
          Use another token
        </Link>
      </p>
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Create token
        </Button>
      </div>
    </Form>
  );
}

function Done({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted-foreground">{children}</p>;
}
