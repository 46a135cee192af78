/** A saved view of a list, as exchanged by the API and the dashboard. */
import { z } from "zod";
import { displayName, exactText, pageFields } from "#lib/schema/field/common.ts";

const shared = ["q", "status", "hookId", "since", "from", "to"];

/** The parameters of each list's URL that a view keeps. */
const paramsOf = {
  deliveries: [...shared, "eventType", "eventId", "runs", "isSample", "columns", "widths"],
  runs: [...shared, "actionId", "subscriptionId", "reason", "group"],
} as const satisfies Record<string, readonly string[]>;

export const viewLists = ["deliveries", "runs"] as const;
export type ViewList = (typeof viewLists)[number];

/** The parameters of a list's URL by name. Values are checked when the list reads them. */
export type ViewParams = Readonly<Record<string, string>>;

const list = z.enum(viewLists, { error: `must be one of ${viewLists.join(", ")}` });
const params = z.record(z.string().max(40, "is no parameter"), exactText({ min: 1, max: 1_600 }));

/** The first parameter that a list doesn't have. Undefined: there is none. */
export function findUnknownParam(of: ViewList, given: ViewParams): string | undefined {
  const known: readonly string[] = paramsOf[of];
  return Object.keys(given).find((name) => !known.includes(name));
}

/** The parameters that a view keeps of a list's URL. */
export function pickViewParams(of: ViewList, given: ViewParams): ViewParams {
  const known: readonly string[] = paramsOf[of];
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== "" && known.includes(name)),
  );
}

/** `POST /saved-views`. */
export const savedViewSchema = z.strictObject({ list, name: displayName, params });

/** `PATCH /saved-views/{id}`. */
export const savedViewPatchSchema = z.strictObject({
  name: displayName.optional(),
  params: params.optional(),
});

/** `PUT /saved-views/{id}/default`. */
export const savedViewDefaultSchema = z.strictObject({
  isDefault: z
    .boolean()
    .describe("True: the list opens with it for everyone. False: it no longer does"),
});

/** `GET /saved-views?…`. */
export const savedViewQuerySchema = z.strictObject({
  ...pageFields,
  list: list.optional().describe("Only views of this list"),
});
