"use client";

import { NextLink } from "#components/ui/next-link.tsx";
import { MappingSource } from "../source/mapping-source.tsx";
import type { EditorPart } from "./use-editor.ts";

/** The column with the payload of a delivery, from which fields are inserted. */
export function PayloadColumn({ editor }: EditorPart) {
  const { page, state, send, tree, insertion } = editor;
  const { hookPath, deliveries, eventTypes } = page.source;
  const { readPayload, listDeliveries } = page.commands;
  return (
    <>
      <h2 className="mb-3 font-semibold">Payload received</h2>
      {state.chosen === null || tree === null ? (
        <p className="text-sm text-muted-foreground">
          No accepted deliveries yet. When the first one arrives, its fields appear here.{" "}
          <NextLink href={hookPath}>Send a test delivery from the hook's page</NextLink>
        </p>
      ) : (
        <MappingSource
          {...state.chosen}
          {...{ deliveries, eventTypes, tree, readPayload, listDeliveries }}
          insertsInto={insertion.into}
          onChoose={(delivery, payload) =>
            send({ kind: "delivery_chosen", chosen: { delivery, payload }, fits: editor.fits })
          }
          onPick={insertion.insert}
        />
      )}
      <p
        aria-live="polite"
        className={
          "sticky -bottom-4 mt-3 -mb-4 bg-card py-2 text-sm break-words text-muted-foreground " +
          "empty:hidden"
        }
      >
        {insertion.message}
      </p>
    </>
  );
}
