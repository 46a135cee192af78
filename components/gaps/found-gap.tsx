import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type GapView, gapStatusWords } from "./gap-status.ts";
import { TakeInDialog } from "./take-in-dialog.tsx";
import type { TakeInFormProps } from "./take-in-form.tsx";

type TypeCount = {
  readonly eventType: string | null;
  readonly eventCount: number;
  readonly missingCount: number;
};

export type WholeGap = GapView & { readonly types: readonly TypeCount[] };

type FoundGapProps = {
  readonly hookId: string;
  readonly gap: WholeGap;
  readonly nowMs: number;
  readonly source: {
    readonly name: string;
    /** How what is fetched differs from what a webhook brings. */
    readonly difference: string;
  };
  /** The provider sends what is missing again, instead. */
  readonly isAskedAgain: boolean;
  /** Something is being taken in. */
  readonly isTakingIn: boolean;
  readonly cancel: (hookId: string, gapId: string) => Promise<CommandResult<null>>;
  readonly takeIn: TakeInFormProps["takeIn"];
};

/** The result of a search by event type, and the next step. */
export function FoundGap({ hookId, gap, nowMs, source, ...props }: FoundGapProps) {
  const isRunning = gap.status === "asking";
  const missing = gap.types.filter(isMissing);
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <State gap={gap} nowMs={nowMs} name={source.name} />
      <TypeTable types={gap.types} />
      {isRunning && (
        <Allowed to="hooks:write">
          <div>
            <CommandButton run={props.cancel.bind(null, hookId, gap.id)}>Stop search</CommandButton>
          </div>
        </Allowed>
      )}
      {!isRunning && missing.length > 0 && !props.isTakingIn && (
        <Allowed to="deliveries:write">
          <div className="grid gap-2">
            <p className="text-sm text-muted-foreground">{source.difference}</p>
            <div>
              <TakeInDialog
                hookId={hookId}
                gapId={gap.id}
                name={source.name}
                types={missing}
                hasArrived={gap.types.some((type) => type.eventCount > type.missingCount)}
                takeIn={props.takeIn}
                isAskedAgain={props.isAskedAgain}
              />
            </div>
          </div>
        </Allowed>
      )}
    </Card>
  );
}

function isMissing<Type extends TypeCount>(
  type: Type,
): type is Type & { readonly eventType: string } {
  return type.missingCount > 0 && type.eventType !== null;
}

function State({ gap, nowMs, name }: { gap: GapView; nowMs: number; name: string }) {
  const { label, tone } = gapStatusWords[gap.status];
  // "No events" is only true of a search that has read all.
  const isSaid = gap.status === "found" || gap.eventCount > 0;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted-foreground">
          <RelativeTime at={gap.createdAt} nowMs={nowMs} /> by {safeText(gap.askedBy)}
        </span>
      </div>
      {gap.reason !== null && <p className="wrap-anywhere">{safeText(gap.reason)}</p>}
      {isSaid && <p className="font-medium">{safeText(gap.summary)}</p>}
      {gap.isCut && (
        <p className="text-muted-foreground">
          Earlier events can't be compared: {name} no longer lists them, or Catchment no longer
          knows which of them arrived.
        </p>
      )}
    </div>
  );
}

function TypeTable({ types }: { types: readonly TypeCount[] }) {
  if (types.length === 0) return null;
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b text-left text-muted-foreground">
          <th className="py-1.5 pr-4 font-medium">Event type</th>
          <th className="py-1.5 pr-4 text-right font-medium">Events</th>
          <th className="py-1.5 text-right font-medium">Missing</th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {types.map(({ eventType, eventCount, missingCount }) => (
          <tr key={eventType ?? ""} className="border-b last:border-0">
            <td className="py-1.5 pr-4 wrap-anywhere">
              {eventType === null ? (
                <span className="text-muted-foreground">No event type</span>
              ) : (
                <code className="font-mono text-xs">{safeText(eventType)}</code>
              )}
            </td>
            <td className="py-1.5 pr-4 text-right">{eventCount.toLocaleString("en")}</td>
            <td className={missingCount > 0 ? "py-1.5 text-right font-medium" : quietCell}>
              {missingCount.toLocaleString("en")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const quietCell = "py-1.5 text-right text-muted-foreground";
