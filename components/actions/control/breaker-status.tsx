import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { BreakerState } from "#lib/schema/field/breaker.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type BreakerStatusProps = {
  readonly state: BreakerState;
  readonly nowMs: number;
  readonly close: () => Promise<CommandResult<null>>;
};

/** A notice while calls are stopped because the receiver is down. */
export function BreakerStatus({ state, nowMs, close }: BreakerStatusProps) {
  if (state.state === "closed") return null;
  if (state.state === "held")
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Badge tone="caution">Held</Badge>
        <span>
          {state.reason} Its runs wait since <RelativeTime at={state.heldSince} nowMs={nowMs} />.
          Save a change to release them, or
        </span>
        <Allowed to="hooks:write">
          <CommandButton look="secondary" run={close}>
            Release it now
          </CommandButton>
        </Allowed>
      </div>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Badge tone="caution">{words[state.state]}</Badge>
      <span>
        Receiver down since <RelativeTime at={state.downSince} nowMs={nowMs} />
        {state.state === "open" && (
          <>
            , next try <UntilTime untilMs={state.nextTryAt.getTime()} nowMs={nowMs} />
          </>
        )}
        {state.state === "recovering" && `. It answers again: ${state.concurrency} calls at once`}.
      </span>
      <Allowed to="hooks:write">
        <CommandButton look="secondary" run={close}>
          Close it now
        </CommandButton>
      </Allowed>
    </div>
  );
}

const words = { open: "Breaker open", probing: "Trying", recovering: "Recovering" } as const;
