/** Versions of an action. Each save adds one. */
import { z } from "zod";
import { shortText } from "#lib/schema/field/common.ts";
import type { RequestAuth } from "./request-auth.ts";

/** The credentials of a call, without secrets. */
const versionAuth = z.strictObject({
  type: z.string(),
  /** The name of the header, parameter, or field. */
  name: z.string().optional(),
  /** The save changed the secret. */
  changed: z.literal(true).optional(),
});

/** Credentials by the key of the call. */
export const versionAuthsSchema = z.record(z.string(), versionAuth);
export type VersionAuths = Readonly<Record<string, z.infer<typeof versionAuth>>>;

/** The public part of a credential. */
export function describeAuth(auth: RequestAuth): { readonly type: string; readonly name?: string } {
  return "name" in auth ? { type: auth.type, name: auth.name } : { type: auth.type };
}

export const maxVersion = 2_147_483_647;

/**
 * The version that a change started from. If another one was saved since then, the change is a
 * conflict.
 */
export const startedFrom = z
  .int()
  .min(1, "must be at least 1")
  .max(maxVersion, `must be at most ${maxVersion}`);

/** Why a change was made, in the words of the person who saves it. */
export const versionNote = shortText({ min: 0, max: 500 })
  .transform((text) => (text === "" ? null : text))
  .describe("Why, in your words. The list of versions shows it");

/** The result of a save. The next save starts from this version. */
export type SavedAction = { readonly id: string; readonly version: number };

/** A change of a version, as the API and the page show it. Values are JSON text. */
export type ShownChange = {
  readonly path: string;
  /** The name of the changed field, for people: "URL of step call". */
  readonly name: string;
  /** Null: the field didn't exist. */
  readonly before: string | null;
  /** Null: the field was removed. */
  readonly after: string | null;
  readonly isSecret: boolean;
};
