"use client";

import { useEffect, useRef, useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { type PayloadNodeView, PayloadTree } from "./payload-tree.tsx";
import { SelectField } from "./ui/field.tsx";
import { notReached } from "./ui/not-reached.ts";
import { Notice } from "./ui/notice.tsx";
import { safeText } from "./ui/safe-text.ts";

export type MappingPayload = {
  readonly tree: PayloadNodeView | null;
  readonly isTreeCut: boolean;
  readonly treeProblem: string | null;
};

type MappingSourceProps = {
  readonly deliveries: readonly { readonly id: string; readonly name: string; readonly receivedAt: Date }[];
  readonly deliveryId: string;
  readonly onChoose: (deliveryId: string) => void;
  readonly first: MappingPayload;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly onPick: (path: string) => void;
};

/** A delivery that arrived, whose fields can be put into the request. */
export function MappingSource({
  deliveries,
  deliveryId,
  onChoose,
  first,
  readPayload,
  onPick,
}: MappingSourceProps) {
  const [loaded, setLoaded] = useState<{ id: string; result: CommandResult<MappingPayload> }>({
    id: deliveryId,
    result: { ok: true, value: first },
  });
  const wanted = useRef(deliveryId);

  useEffect(() => {
    wanted.current = deliveryId;
    if (loaded.id === deliveryId) return;
    void readPayload(deliveryId)
      .catch(() => notReached)
      .then((result) => {
        if (wanted.current === deliveryId) setLoaded({ id: deliveryId, result });
      });
  }, [deliveryId, loaded.id, readPayload]);

  return (
    <div className="grid grid-cols-1 gap-3">
      <SelectField
        label="Delivery"
        name="delivery"
        value={deliveryId}
        onChange={(event) => onChoose(event.target.value)}
      >
        {deliveries.map(({ id, name, receivedAt }) => (
          <option key={id} value={id}>
            {safeText(name)}, {receivedAt.toISOString().slice(0, 16).replace("T", " ")} UTC
          </option>
        ))}
      </SelectField>
      <div aria-busy={loaded.id !== deliveryId}>
        <Payload key={loaded.id} result={loaded.result} onPick={onPick} />
      </div>
    </div>
  );
}

function Payload({
  result,
  onPick,
}: {
  result: CommandResult<MappingPayload>;
  onPick: (path: string) => void;
}) {
  if (!result.ok) return <Notice tone="negative">{result.message}</Notice>;
  const { tree, isTreeCut, treeProblem } = result.value;
  if (tree === null) return <Notice>{treeProblem}</Notice>;
  return (
    <div className="grid gap-2">
      {isTreeCut && <Notice>This payload is large: only its beginning is shown here.</Notice>}
      <PayloadTree root={tree} action={(node) => <Insert node={node} onPick={onPick} />} />
    </div>
  );
}

function Insert({ node: { path }, onPick }: { node: PayloadNodeView; onPick: (path: string) => void }) {
  if (path === null) return null;
  return (
    <button
      type="button"
      // The field that is written into keeps its cursor.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(path)}
      aria-label={`Insert {{ ${path} }}`}
      title={`Insert {{ ${path} }}`}
      className="inline-flex h-6 shrink-0 items-center rounded-md border bg-card px-1.5 font-sans text-xs text-muted-foreground hover:text-foreground"
    >
      Insert
    </button>
  );
}
