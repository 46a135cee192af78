"use client";

import { Check } from "lucide-react";
import { useEffect, useRef, useState, useTransition } from "react";
import { AuthPage } from "#components/account/auth-page.tsx";
import { scopeWords } from "#components/account/scope-words.ts";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import { ExactDay } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { DeviceCommands, DeviceSignInView } from "./device-types.ts";
import { Fact, type FactProps } from "./fact.tsx";

type DeviceDecisionFormProps = Omit<DeviceCommands, "read"> & {
  readonly email: string;
  readonly asked: DeviceSignInView;
  /** Called with the name of the account that it was allowed for, or null. */
  readonly onDecided: (accountName: string | null) => void;
};

/** Shows what a tool asks for, and lets the person decide. */
export function DeviceDecisionForm(props: DeviceDecisionFormProps) {
  const { email, asked, allow, deny, onDecided } = props;
  const { code, host, accounts } = asked;
  const [accountId, setAccountId] = useState(asked.accountId);
  const [message, setMessage] = useState("");
  const [pending, setPending] = useState<"allow" | "deny">();
  const [isPending, startTransition] = useTransition();
  const top = useRef<HTMLDivElement>(null);
  // The form before it had the focus, and is gone.
  useEffect(() => top.current?.focus(), []);

  const account = accounts.find(({ id }) => id === accountId) ?? accounts[0];
  if (account === undefined) return null;

  function decide(what: "allow" | "deny", run: () => Promise<CommandResult<null>>) {
    if (isPending) return;
    setPending(what);
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      startTransition(() => {
        if (result.ok) onDecided(what === "allow" ? (account?.name ?? null) : null);
        else setMessage(result.message);
      });
    });
  }

  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <AuthPage
        title={host === null ? "Sign in on the command line?" : `Sign in on ${safeText(host)}?`}
        lead={`The command line there will act as you, ${safeText(email)}.`}
      >
        <dl className="grid gap-3 text-sm">
          <Fact name="Code" note="The same as in your terminal?">
            <span className="font-mono font-medium tracking-wider">{code}</span>
          </Fact>
          <Fact name="Machine" {...(host !== null && { note: "As it calls itself" })}>
            {host === null ? "It gives no name." : <bdi>{safeText(host)}</bdi>}
          </Fact>
          <Fact name="Asked" {...describeAddress(asked.isSameAddress)}>
            <RelativeTime at={asked.createdAt} nowMs={asked.nowMs} />
            {asked.address !== null && <> from {asked.address}</>}
          </Fact>
          <Fact name="Access until" note="For 90 days, or until you revoke it">
            <ExactDay at={asked.tokenExpiresAt} />
          </Fact>
          {accounts.length === 1 && <Fact name="Account">{safeText(account.name)}</Fact>}
        </dl>
        {accounts.length > 1 && (
          <SelectField
            label="Account"
            name="account"
            value={account.id}
            onChange={(event) => setAccountId(event.target.value)}
          >
            {accounts.map(({ id, name, role }) => (
              <option key={id} value={id}>
                {safeText(name)} ({role})
              </option>
            ))}
          </SelectField>
        )}
        <Scopes {...account} />
        {message !== "" && <Notice tone="negative">{message}</Notice>}
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            look="secondary"
            isBusy={isPending && pending === "deny"}
            onClick={() => decide("deny", () => deny(code))}
            className="w-full max-sm:order-last"
          >
            Deny
          </Button>
          <Button
            isBusy={isPending && pending === "allow"}
            disabled={account.scopes.length === 0}
            onClick={() =>
              decide("allow", () => allow({ code, accountId: account.id, scopes: account.scopes }))
            }
            className="w-full"
          >
            Allow
          </Button>
        </div>
        <p className="text-sm text-muted-foreground">
          Did someone send you this code? Then deny it: they would get your access. The code works
          for another <Countdown until={asked.expiresAt} nowMs={asked.nowMs} />.
        </p>
      </AuthPage>
    </div>
  );
}

function describeAddress(isSame: boolean | null): Pick<FactProps, "note" | "isOdd"> {
  if (isSame === null) return {};
  if (isSame) return { note: "The address of this browser, too" };
  return { note: "This browser has another address", isOdd: true };
}

type ScopesProps = Pick<
  DeviceSignInView["accounts"][number],
  "name" | "role" | "scopes" | "missing"
>;

function Scopes({ name, role, scopes, missing }: ScopesProps) {
  return (
    <section className="grid gap-2 text-sm" aria-labelledby="device-scopes">
      <h2 id="device-scopes" className="font-medium">
        {scopes.length === 0 ? "It would get no permission" : "It may"}
      </h2>
      <ul className="grid gap-1.5">
        {scopes.map((scope) => (
          <li key={scope} className="flex items-start gap-2">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-positive" />
            {scopeWords[scope]}
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <p className="text-muted-foreground">
          Your role in {safeText(name)} is {role}, so it doesn't get:{" "}
          {missing.map((scope) => scopeWords[scope]).join(" · ")}.
        </p>
      )}
    </section>
  );
}
