import type { ReactNode } from "react";
import { count, Detail, Figure } from "#components/ui/layout/figure.tsx";

type Scope = {
  readonly range: string;
  /** The hook that the counts are of. Omitted: all hooks. */
  readonly hookId?: string;
  /** The range after the names of the counts, if the page doesn't say it. */
  readonly note?: string;
};

type DeliveriesFigureProps = {
  /** The number of all deliveries in the range. */
  readonly arrived: number;
  readonly deliveries: {
    readonly rejected: number;
    readonly duplicate: number;
    readonly pending: number;
  };
  readonly scope: Scope;
  readonly plot?: ReactNode;
};

/** The number of deliveries, with links to those that weren't accepted. */
export function DeliveriesFigure({ arrived, deliveries, scope, plot }: DeliveriesFigureProps) {
  const { rejected, pending, duplicate } = deliveries;
  const path = (status: string) => toPath("/deliveries", { status }, scope);
  return (
    <Figure name={`Deliveries${scope.note ?? ""}`} value={count(arrived)} plot={plot}>
      {rejected > 0 && (
        <Detail href={path("rejected")} isBad>
          {count(rejected)} rejected
        </Detail>
      )}
      {pending > 0 && <Detail href={path("pending")}>{count(pending)} pending</Detail>}
      {duplicate > 0 && (
        <Detail href={path("duplicate")}>
          {count(duplicate)} {duplicate === 1 ? "duplicate" : "duplicates"}
        </Detail>
      )}
      {rejected + pending + duplicate === 0 && "None rejected"}
    </Figure>
  );
}

type QueueFigureProps = {
  readonly waiting: {
    readonly queued: number;
    readonly retrying: number;
    readonly held: number;
    /** The number of held runs for which a person has to say what happened to a call. */
    readonly asking: number;
  };
  readonly hookId?: string;
};

/** The number of runs that wait, by reason. */
export function QueueFigure({ waiting, ...scope }: QueueFigureProps) {
  const { queued, retrying, held, asking } = waiting;
  const path = (filter: Readonly<Record<string, string>>) => toPath("/runs", filter, scope);
  const all = queued + retrying + held;
  return (
    <Figure name="Queued now" value={count(all)}>
      {retrying > 0 && (
        <Detail href={path({ status: "retrying" })}>{count(retrying)} retrying</Detail>
      )}
      {asking > 0 && (
        <Detail href={path({ status: "held", reason: "outcome_unknown" })} isBad>
          {count(asking)} waiting for your decision
        </Detail>
      )}
      {held > 0 && <Detail href={path({ status: "held" })}>{count(held)} held</Detail>}
      {queued > 0 && (
        <Detail href={path({ status: "queued" })}>{count(queued)} in the queue</Detail>
      )}
      {all === 0 && "The queue is empty"}
    </Figure>
  );
}

function toPath(
  list: string,
  filter: Readonly<Record<string, string>>,
  { range, hookId }: Partial<Scope>,
): string {
  const params = new URLSearchParams(filter);
  if (range !== undefined) params.set("since", range);
  if (hookId !== undefined) params.set("hookId", hookId);
  return `${list}?${params}`;
}
