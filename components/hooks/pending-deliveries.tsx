"use client";

import { useState, useTransition } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { Count } from "./change-hook-status.ts";
import { describeVerified, type Verified } from "./describe-verified.ts";

type VerifyPending = (hookId: string) => Promise<CommandResult<Verified>>;

type PendingDeliveriesProps = {
  readonly hookId: string;
  readonly pending: Count;
  readonly verifyPending: VerifyPending;
};

/** Deliveries from before the secret was added. One click verifies them and runs the valid ones. */
export function PendingDeliveries({ hookId, pending, verifyPending }: PendingDeliveriesProps) {
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const isOne = pending.count === 1;

  const onClick = () =>
    startTransition(async () => {
      const result = await verifyPending(hookId).catch(() => serverUnreachable);
      const { words, isDone } = result.ok
        ? describeVerified(result.value)
        : { words: result.message, isDone: false };
      startTransition(() => setProblem(isDone ? undefined : words));
      if (isDone) toast(words);
    });

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border bg-card p-5">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h2 className="font-semibold">
          {describeCount(pending, "delivery", "deliveries")} {isOne ? "isn't" : "aren't"} verified
          yet
        </h2>
        <p className="text-sm text-muted-foreground">
          {isOne ? "It" : "They"} arrived before you added the signing secret. Deliveries signed
          with it are accepted and run the hook's actions. Others are rejected.
        </p>
      </div>
      <Allowed to="deliveries:write">
        <Button isBusy={isPending} onClick={onClick}>
          Verify and run {isOne ? "it" : "them"}
        </Button>
      </Allowed>
      {problem !== undefined && (
        <div className="w-full">
          <Notice tone="negative">{problem}</Notice>
        </div>
      )}
    </div>
  );
}
