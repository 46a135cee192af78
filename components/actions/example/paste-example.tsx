"use client";

import { Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { NextLink } from "#components/ui/next-link.tsx";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { FieldProposal } from "#lib/core/mapping/mapping-example/proposal.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionStart } from "../draft/action-presets.ts";

const ExampleDialog = lazyPart("ExampleDialog", () => import("./example-dialog.tsx"));

/** The proposals for an example, given as JSON text, from one delivery. */
export type ProposeExample = (
  deliveryId: string,
  exampleJson: string,
) => Promise<CommandResult<readonly FieldProposal[]>>;

type PasteExampleProps = {
  /** Null: no delivery to map has arrived. */
  readonly deliveryId: string | null;
  readonly hookPath: string;
  readonly startsOpen: boolean;
  readonly propose: ProposeExample;
  readonly onStart: (start: ActionStart) => void;
};

/** Fills in the request from an example, mapped from the current delivery. */
export function PasteExample(props: PasteExampleProps) {
  const { deliveryId, hookPath, propose, onStart } = props;
  const [isOpen, setIsOpen] = useState(props.startsOpen);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button look="secondary" className="h-8" onClick={() => setIsOpen(true)}>
        Paste an example
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Map by example" isWide>
        {deliveryId === null ? (
          <p className="text-sm">
            The values of an example are looked up in a delivery, and none has arrived yet.{" "}
            <NextLink href={hookPath}>Send a sample from the hook's page</NextLink>
          </p>
        ) : (
          <Suspense>
            <ExampleDialog
              propose={(json) => propose(deliveryId, json)}
              onStart={(start) => {
                onStart(start);
                close();
              }}
              onClose={close}
            />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
