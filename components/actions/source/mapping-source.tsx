"use client";

import { CornerDownRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import { PayloadTree } from "#components/payload/payload-tree.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useLatest } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { StepResultView } from "../draft/step-views.ts";
import { DeliveryPicker } from "./delivery-picker.tsx";
import type { MappingDelivery } from "./mapping-delivery.ts";

export type MappingPayload = {
  readonly tree: PayloadNodeView;
  readonly isTreeCut: boolean;
  readonly treeProblem: string | null;
  /** The action's last run on the delivery. */
  readonly lastRun: {
    readonly runId: string;
    readonly at: Date;
    /** Results by the keys that the steps had when the action was saved. */
    readonly results: readonly StepResultView[];
  } | null;
};

/** The delivery that is mapped, with its payload. */
export type Chosen = { readonly delivery: MappingDelivery; readonly payload: MappingPayload };

export type MappingSourceProps = {
  readonly deliveries: readonly MappingDelivery[];
  readonly eventTypes: readonly string[];
  readonly delivery: MappingDelivery;
  readonly payload: MappingPayload;
  /** The names that the expanded step can use: the payload and more. */
  readonly tree: PayloadNodeView;
  /** The place into which a click inserts. Null: none, until a field has the cursor. */
  readonly insertsInto: string | null;
  readonly onChoose: (delivery: MappingDelivery, payload: MappingPayload) => void;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly listDeliveries: ListMappingDeliveries;
  readonly onPick: (path: string) => void;
};

/** The latest deliveries of an event type, or of all, in which a text is found. */
export type ListMappingDeliveries = (
  eventType: string | undefined,
  text?: string,
) => Promise<CommandResult<readonly MappingDelivery[]>>;

/** A received delivery, whose fields can be added to the request. */
export function MappingSource(props: MappingSourceProps) {
  const { eventTypes, delivery, payload, tree, insertsInto, onPick } = props;
  const [deliveries, setDeliveries] = useState(props.deliveries);
  const [eventType, setEventType] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const latest = useLatest();

  // Includes deliveries that arrive while the page is open.
  useEffect(() => setDeliveries(props.deliveries), [props.deliveries]);

  /** Only the latest request counts. The old tree stays until the response arrives. */
  async function ask<Value>(question: () => Promise<CommandResult<Value>>): Promise<Value | null> {
    setBusy(true);
    const result = await latest.ask(() => question().catch(() => serverUnreachable));
    if (result === null) return null;
    setBusy(false);
    setProblem(result.ok ? undefined : result.message);
    return result.ok ? result.value : null;
  }

  async function choose(next: MappingDelivery) {
    const read = await ask(() => props.readPayload(next.id));
    if (read !== null) props.onChoose(next, read);
  }

  async function chooseType(type: string) {
    setEventType(type);
    const next = await ask(() => props.listDeliveries(type === "" ? undefined : type));
    const first = next?.[0];
    if (next === null || first === undefined) return;
    setDeliveries(next);
    await choose(first);
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      {eventTypes.length > 1 && (
        <SelectField
          label="Event type"
          name="eventType"
          value={eventType}
          onChange={(event) => void chooseType(event.target.value)}
        >
          <option value="">All</option>
          {eventTypes.map((type) => (
            <option key={type} value={type}>
              {safeText(type)}
            </option>
          ))}
        </SelectField>
      )}
      <DeliveryPicker
        deliveries={deliveries}
        chosen={delivery}
        search={(text) => props.listDeliveries(eventType === "" ? undefined : eventType, text)}
        onChoose={(next) => void choose(next)}
      />
      {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
      {payload.treeProblem !== null && <Notice>{payload.treeProblem}</Notice>}
      {payload.isTreeCut && <Notice>This payload is large. Only the beginning is shown.</Notice>}
      <div aria-busy={isBusy}>
        <PayloadTree
          // The names decide which branches are open at first.
          key={`${delivery.id} ${tree.children.map(({ key, size }) => `${key} ${size}`).join()}`}
          root={tree}
          label="Fields of the delivery"
          isDraggable
          picksOnClick
          hint={
            insertsInto === null ? (
              "Place the cursor where a field goes, then click it, or drag it there."
            ) : (
              <>
                Inserts into: <strong className="text-foreground">{safeText(insertsInto)}</strong>
              </>
            )
          }
          onPick={({ path }) => path !== null && onPick(path)}
          action={(node) => <Insert node={node} onPick={onPick} />}
        />
      </div>
    </div>
  );
}

/** For the mouse only: clicking a branch opens it, so inserting the whole branch needs a button. */
function Insert({
  node: { path },
  onPick,
}: {
  node: PayloadNodeView;
  onPick: (path: string) => void;
}) {
  if (path === null) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      // Keeps the cursor in the field that is being edited.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        onPick(path);
      }}
      aria-label={`Insert {{ ${path} }}`}
      title={`Insert {{ ${path} }}`}
      className={
        "inline-flex size-6 shrink-0 items-center justify-center rounded-md " +
        "text-muted-foreground hover:bg-card hover:text-foreground"
      }
    >
      <CornerDownRight aria-hidden size={14} />
    </button>
  );
}
