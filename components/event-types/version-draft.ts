import { type Codec, type Draft, optionalText, textIfAny } from "#components/ui/form/codec.ts";
import { optionalJson } from "./event-type-draft.ts";

/** The body of `POST /event-types/{name}/versions`. */
export const versionFields = {
  version: textIfAny,
  schema: optionalJson("schema"),
  example: optionalJson("example"),
  transform: optionalText,
  note: optionalText,
};

export type VersionDraft = Draft<typeof versionFields>;

/** A minute in UTC: `2027-06-01T00:00`. Null: empty. */
const optionalMinute: Codec<Date | null, string> = {
  text: (at) => at?.toISOString().slice(0, 16) ?? "",
  read: (text) => (text === "" ? null : `${text}Z`),
};

/** The body of `PATCH /event-types/{name}/versions/{version}`. */
export const versionChangeFields = {
  endsAt: optionalMinute,
  note: optionalText,
  transform: optionalText,
};

export type VersionChangeDraft = Draft<typeof versionChangeFields>;
