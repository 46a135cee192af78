/** Versions of an action: what each save made of it. */
import { z } from "zod";
import type { RequestAuth } from "./request-auth.ts";

/** The credentials of a call, without secrets. */
const versionAuth = z.strictObject({
  type: z.string(),
  /** The name of the header, parameter, or field. */
  name: z.string().optional(),
  /** This save entered another secret. */
  changed: z.literal(true).optional(),
});

/** By the key of the call. */
export const versionAuthsSchema = z.record(z.string(), versionAuth);
export type VersionAuths = Readonly<Record<string, z.infer<typeof versionAuth>>>;

/** The public part of a credential. */
export function describeAuth(auth: RequestAuth): { readonly type: string; readonly name?: string } {
  return "name" in auth ? { type: auth.type, name: auth.name } : { type: auth.type };
}

export const maxVersion = 2_147_483_647;

/** The version that a change started from. Another one in the meantime is a conflict. */
export const startedFrom = z
  .int()
  .min(1, "must be at least 1")
  .max(maxVersion, `must be at most ${maxVersion}`);

/** The answer to a save: the next one starts from this version. */
export type SavedAction = { readonly id: string; readonly version: number };

/** A version in a list. */
export type VersionSummary = {
  readonly number: number;
  /** A person's email address, or a token's name. Null: saved before there were versions. */
  readonly author: string | null;
  readonly createdAt: Date;
  /** A summary of the changes. Null: this is the first version. */
  readonly summary: string | null;
  readonly restoredFrom: number | null;
  readonly isCurrent: boolean;
};

/** A change of a version, as the API and the page show it. Values are JSON text. */
export type ShownChange = {
  readonly path: string;
  /** The name of the changed field, for people: "URL of step call". */
  readonly name: string;
  /** Null: it was not there. */
  readonly before: string | null;
  /** Null: it is no longer there. */
  readonly after: string | null;
  readonly isSecret: boolean;
};
