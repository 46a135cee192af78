import { Cell } from "#components/lists/row-table.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

export const recipientColumn = { title: "Recipient", width: "w-36" };

/** The recipient of a row, in tables that show more than one. */
export function RecipientCell({ id = "" }: { id: string | undefined }) {
  return (
    <Cell className="row-detail row-hook">
      <span>{safeText(id)}</span>
    </Cell>
  );
}
