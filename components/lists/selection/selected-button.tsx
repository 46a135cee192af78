"use client";

import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChangedRows } from "#lib/schema/field/selected.ts";
import { useSelection } from "./selection.tsx";

export type ChangeSelected = (ids: readonly string[]) => Promise<CommandResult<ChangedRows>>;

type SelectedButtonProps = {
  readonly ids: readonly string[];
  /** The verb of the button: "Replay". */
  readonly verb: string;
  /** One row in words, and many: "delivery", "deliveries". */
  readonly one: string;
  readonly many: string;
  /** The outcome, after the number: "queued again". */
  readonly done: string;
  /** The effect, in a sentence or two. */
  readonly text: string;
  /** The text of the button that changes nothing. Default: "Cancel". */
  readonly back?: string;
  readonly isDanger?: boolean;
  readonly change: ChangeSelected;
};

/** Changes the selected rows after a confirmation, and says what became of them. */
export function SelectedButton(props: SelectedButtonProps) {
  const { ids, verb, one, many, done, text, change, back = "Cancel", isDanger = false } = props;
  const selection = useSelection();
  if (ids.length === 0) return null;
  const count = `${ids.length} ${ids.length === 1 ? one : many}`;

  async function run(): Promise<CommandResult<ChangedRows>> {
    const result = await change(ids);
    if (!result.ok) return result;
    const { changed, leftOut } = result.value;
    const [first] = leftOut;
    const left =
      first === undefined
        ? ""
        : ` ${leftOut.length} left out: ${first.detail}${leftOut.length > 1 ? " …" : ""}`;
    toast(`${changed} ${changed === 1 ? one : many} ${done}.${left}`);
    selection?.clear();
    return result;
  }

  return (
    <ConfirmButton
      label={`${verb} ${ids.length}`}
      look="secondary"
      title={`${verb} ${count}?`}
      keepLabel={back}
      confirmLabel={`${verb} ${count}`}
      confirmLook={isDanger ? "danger" : "primary"}
      run={run}
    >
      <p>{text}</p>
    </ConfirmButton>
  );
}
