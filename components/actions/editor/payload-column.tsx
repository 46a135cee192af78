"use client";

import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import { NextLink } from "#components/ui/next-link.tsx";
import type { MappingDelivery } from "../source/mapping-delivery.ts";
import {
  type MappingPayload,
  MappingSource,
  type MappingSourceProps,
} from "../source/mapping-source.tsx";

/** The delivery that is mapped, with its payload. */
export type Chosen = { readonly delivery: MappingDelivery; readonly payload: MappingPayload };

type PayloadColumnProps = Omit<MappingSourceProps, "delivery" | "payload" | "tree"> & {
  /** Null: nothing has arrived. */
  readonly chosen: Chosen | null;
  /** The names that the expanded step can use. */
  readonly tree: PayloadNodeView | null;
  readonly hookPath: string;
  /** The result of the last click. */
  readonly message: string;
};

/** The column with the payload of a delivery, from which fields are inserted. */
export function PayloadColumn({ chosen, tree, hookPath, message, ...source }: PayloadColumnProps) {
  return (
    <>
      <h2 className="mb-3 font-semibold">Payload received</h2>
      {chosen === null || tree === null ? (
        <p className="text-sm text-muted-foreground">
          No accepted deliveries yet. When the first one arrives, its fields appear here.{" "}
          <NextLink href={hookPath}>Send a test delivery from the hook's page</NextLink>
        </p>
      ) : (
        <MappingSource {...source} {...chosen} tree={tree} />
      )}
      <p aria-live="polite" className="mt-3 text-sm break-words text-muted-foreground empty:hidden">
        {message}
      </p>
    </>
  );
}

type FirstChosen = {
  readonly deliveries: readonly MappingDelivery[];
  /** Null: nothing has arrived. */
  readonly deliveryId: string | null;
  readonly payload: MappingPayload | null;
};

/** The delivery that is shown first. */
export function readFirstChosen({ deliveryId, deliveries, payload }: FirstChosen): Chosen | null {
  const delivery = deliveries.find(({ id }) => id === deliveryId);
  return delivery === undefined || payload === null ? null : { delivery, payload };
}
