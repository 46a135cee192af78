"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import type { MarkedKind } from "#lib/schema/configuration-plan.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type Thing = { readonly kind: MarkedKind; readonly id: string };

export type ManagedCommands = {
  /** Reads the text of a file with one thing, or with everything. */
  readonly download: (only: Thing | Record<string, never>) => Promise<CommandResult<string>>;
  readonly release: () => Promise<CommandResult<null>>;
};

type ManagedWaysProps = ManagedCommands & { readonly managedBy: string; readonly thing: Thing };

/** Takes something to its files, or out of their hands. */
export function ManagedWays({ managedBy, thing, download, release }: ManagedWaysProps) {
  const save = async (isWhole: boolean): Promise<CommandResult<unknown>> => {
    const result = await download(isWhole ? {} : thing);
    if (result.ok)
      saveFile(result.value, isWhole ? "catchment.yaml" : `${fileName(thing.kind)}.yaml`);
    return result;
  };
  return (
    <div className="flex flex-wrap gap-2">
      <CommandButton run={() => save(false)}>Download as YAML</CommandButton>
      <CommandButton run={() => save(true)}>Download the whole account</CommandButton>
      <CommandButton run={release} done={`Released from ${managedBy}`}>
        Release from code
      </CommandButton>
    </div>
  );
}

const fileName = (kind: string) => kind.replace(" ", "-");

function saveFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
