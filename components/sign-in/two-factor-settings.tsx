"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { type NewSecret, TwoFactorSetup } from "./two-factor-setup.tsx";

type Codes = { readonly recoveryCodes: readonly string[] };

type TwoFactorSettingsProps = {
  readonly isOn: boolean;
  readonly codesLeft: number;
  readonly email: string;
  readonly start: (input: Record<string, string>) => Promise<CommandResult<NewSecret>>;
  readonly confirm: (input: Record<string, string>) => Promise<CommandResult<Codes>>;
  readonly renewCodes: (input: Record<string, string>) => Promise<CommandResult<Codes>>;
  readonly turnOff: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** Two-factor authentication: off, being set up, or on. */
export function TwoFactorSettings(props: TwoFactorSettingsProps) {
  const [secret, setSecret] = useState<NewSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isStarting, setIsStarting] = useState(false);

  if (codes !== undefined)
    return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  if (secret !== undefined && !props.isOn)
    return (
      <TwoFactorSetup
        secret={secret}
        confirm={props.confirm}
        onCancel={() => setSecret(undefined)}
        onDone={({ recoveryCodes }) => {
          setSecret(undefined);
          setCodes(recoveryCodes);
        }}
      />
    );
  if (props.isOn) return <TurnedOn {...props} onCodes={setCodes} />;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted-foreground">
        Off. With an authenticator app, someone who learns your password still can't sign in.
      </p>
      <div>
        <Button look="secondary" onClick={() => setIsStarting(true)}>
          Turn on
        </Button>
      </div>
      <PasswordDialog
        isOpen={isStarting}
        onClose={() => setIsStarting(false)}
        title="Turn on two-factor authentication"
        text="Have your authenticator app ready. You scan a code with it next."
        email={props.email}
        confirmLabel="Continue"
        run={async (input) => {
          const started = await props.start(input);
          if (started.ok) setSecret(started.value);
          return started;
        }}
      />
    </div>
  );
}

function TurnedOn({
  codesLeft,
  email,
  renewCodes,
  turnOff,
  onCodes,
}: TwoFactorSettingsProps & { readonly onCodes: (codes: readonly string[]) => void }) {
  const [open, setOpen] = useState<"renew" | "off">();
  const close = () => setOpen(undefined);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone="positive">On</Badge>
        <span className={codesLeft < 3 ? "text-caution" : "text-muted-foreground"}>
          {describeCount(codesLeft, "recovery code")} left
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => setOpen("renew")}>
          New recovery codes
        </Button>
        <Button look="secondary" onClick={() => setOpen("off")}>
          Turn off
        </Button>
      </div>
      <PasswordDialog
        isOpen={open === "renew"}
        onClose={close}
        title="Make new recovery codes?"
        text="The old ones stop working."
        email={email}
        confirmLabel="Make new codes"
        run={async (input) => {
          const renewed = await renewCodes(input);
          if (renewed.ok) onCodes(renewed.value.recoveryCodes);
          return renewed;
        }}
      />
      <PasswordDialog
        isOpen={open === "off"}
        onClose={close}
        title="Turn off two-factor authentication?"
        text="From then on, your password alone signs you in."
        email={email}
        confirmLabel="Turn off"
        isDangerous
        run={async (input) => {
          const result = await turnOff(input);
          if (result.ok) toast("Two-factor authentication is off.");
          return result;
        }}
      />
    </div>
  );
}
