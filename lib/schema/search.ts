/** Command palette results, as the server sends them to the browser. */
import { z } from "zod";
import { shortText } from "#lib/schema/field/common.ts";

export const searchText = shortText({ max: 200 });

export const searchResultSchema = z.object({
  hits: z.array(
    z.object({
      kind: z.enum(["hook", "action", "delivery", "run"]),
      id: z.string(),
      name: z.string(),
      /** Its hook, or its time. */
      detail: z.string(),
      href: z.string(),
    }),
  ),
});

export type SearchHit = z.output<typeof searchResultSchema>["hits"][number];

/** What the picker of a filter offers. */
export type Choices = {
  readonly choices: readonly {
    readonly id: string;
    readonly name: string;
    /** Of an action. */
    readonly hookName?: string;
  }[];
  /** More would match. */
  readonly isMore: boolean;
};
