"use client";

import { useState } from "react";
import { DeviceCodeForm } from "./device-code-form.tsx";
import { DeviceDecisionForm } from "./device-decision-form.tsx";
import { DeviceDone } from "./device-done.tsx";
import type { DeviceCommands, DeviceSignInView } from "./device-types.ts";

type DeviceSignInProps = {
  /** The signed-in person. */
  readonly email: string;
  /** The code of the link. Empty: none. */
  readonly givenCode: string;
  readonly commands: DeviceCommands;
};

type Step =
  | { readonly kind: "code" }
  | { readonly kind: "decision"; readonly asked: DeviceSignInView }
  | { readonly kind: "done"; readonly host: string | null; readonly accountName: string | null };

/** Signs a tool in: the code, then the decision, then what to do next. */
export function DeviceSignIn({ email, givenCode, commands }: DeviceSignInProps) {
  const [step, setStep] = useState<Step>({ kind: "code" });
  switch (step.kind) {
    case "code":
      return (
        <DeviceCodeForm
          email={email}
          givenCode={givenCode}
          read={commands.read}
          onRead={(asked) => setStep({ kind: "decision", asked })}
        />
      );
    case "decision": {
      const { host } = step.asked;
      return (
        <DeviceDecisionForm
          email={email}
          asked={step.asked}
          allow={commands.allow}
          deny={commands.deny}
          onDecided={(accountName) => setStep({ kind: "done", host, accountName })}
        />
      );
    }
    case "done":
      return <DeviceDone host={step.host} accountName={step.accountName} />;
    default:
      return step satisfies never;
  }
}
