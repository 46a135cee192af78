"use client";

import { useEffect, useRef, useState, useTransition } from "react";
import { AuthPage } from "#components/account/auth-page.tsx";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactDay } from "#components/ui/time/exact-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ClientScopes } from "./client-scopes.tsx";
import type {
  AskedQuery,
  ClientCommands,
  ClientSignInView,
  RejectedClient,
} from "./client-types.ts";
import { Fact } from "./fact.tsx";

type ClientSignInProps = {
  /** The signed-in person. */
  readonly email: string;
  readonly query: AskedQuery;
  readonly asked: ClientSignInView;
  readonly commands: ClientCommands;
};

/** Shows what a program asks for, lets the person decide, and brings the decision to the program. */
export function ClientSignIn({ email, query, asked, commands }: ClientSignInProps) {
  const { accounts, clientName, documentHost, redirectHost } = asked;
  const [accountId, setAccountId] = useState(asked.accountId);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState("");
  const [pending, setPending] = useState<"allow" | "deny">();
  const [done, setDone] = useState<{ readonly url: string; readonly isAllowed: boolean }>();
  const [isPending, startTransition] = useTransition();

  const account = accounts.find(({ id }) => id === accountId) ?? accounts[0];
  if (account === undefined) return null;
  const scopes = account.scopes.filter((scope) => !removed.has(scope));
  const name = safeText(clientName);

  function decide(what: "allow" | "deny", run: () => Promise<CommandResult<string>>) {
    if (isPending) return;
    setPending(what);
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      startTransition(() => {
        if (!result.ok) return setMessage(result.message);
        setDone({ url: result.value, isAllowed: what === "allow" });
        window.location.assign(result.value);
      });
    });
  }

  if (done !== undefined) return <Decided name={name} {...done} />;
  return (
    <AuthPage title={`Let ${name} in?`} lead={`It will act as you, ${safeText(email)}.`}>
      <dl className="grid gap-3 text-sm">
        <Fact
          name="Program"
          {...(documentHost === null
            ? { note: "As it calls itself. Anyone can use this name", isOdd: true }
            : { note: `Named by ${documentHost}` })}
        >
          <bdi>{name}</bdi>
        </Fact>
        <Fact name="Access goes to" note="Only continue if you expect this">
          {redirectHost ?? "A program on this computer"}
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
          {accounts.map(({ id, name: ofAccount, role }) => (
            <option key={id} value={id}>
              {safeText(ofAccount)} ({role})
            </option>
          ))}
        </SelectField>
      )}
      <ClientScopes account={account} removed={removed} onChange={setRemoved} />
      {message !== "" && <Notice tone="negative">{message}</Notice>}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          look="secondary"
          isBusy={isPending && pending === "deny"}
          onClick={() => decide("deny", () => commands.deny(query))}
          className="w-full max-sm:order-last"
        >
          Deny
        </Button>
        <Button
          isBusy={isPending && pending === "allow"}
          disabled={scopes.length === 0}
          onClick={() =>
            decide("allow", () => commands.allow({ query, accountId: account.id, scopes }))
          }
          className="w-full"
        >
          Allow
        </Button>
      </div>
      <p className="text-sm text-muted-foreground">
        Did you not start this yourself, just now? Then deny it: someone would get your access.
      </p>
    </AuthPage>
  );
}

type DecidedProps = { readonly name: string; readonly url: string; readonly isAllowed: boolean };

/** Is shown while the browser goes to the program, and stays if that isn't there any more. */
function Decided({ name, url, isAllowed }: DecidedProps) {
  const top = useRef<HTMLDivElement>(null);
  // The form before it had the focus, and is gone.
  useEffect(() => top.current?.focus(), []);
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <AuthPage
        title={isAllowed ? `Go back to ${name}` : "Denied"}
        lead={isAllowed ? "It is signed in within some seconds." : `${name} gets no access.`}
      >
        <a href={url} className={buttonClasses("secondary", "w-full")}>
          Continue to {name}
        </a>
      </AuthPage>
    </div>
  );
}

/** Says why a program can't be let in. It goes nowhere by itself: the address may be anyone's. */
export function ClientRejected({ message, back }: Omit<RejectedClient, "ok">) {
  return (
    <AuthPage title="This sign-in can't continue">
      <Notice tone="negative">{safeText(message)}</Notice>
      <p className="text-sm text-muted-foreground">
        Nothing was allowed. Start again in the program, or tell the people who make it.
      </p>
      {back !== null && (
        <a href={back.url} className={buttonClasses("secondary", "w-full")}>
          Report it to {back.host}
        </a>
      )}
      <Link href="/" className={buttonClasses("secondary", "w-full")}>
        Open Catchment
      </Link>
    </AuthPage>
  );
}
