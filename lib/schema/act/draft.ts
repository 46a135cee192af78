/** Drafts: what a person typed into an action's editor and hasn't saved. */
import { z } from "zod";
import { recordId } from "#lib/schema/field/common.ts";
import { startedFrom } from "./version.ts";

/** The maximum size in bytes. Far more than an action may have. */
export const maxDraftBytes = 512 * 1024;

const tooLarge = `must have at most ${maxDraftBytes / 1024} KiB`;

/** The editor's place: an action, or a new one of a hook. */
export const draftPlaceSchema = z.strictObject({
  hookId: recordId,
  /** Null: the action is new. */
  actionId: recordId.nullable(),
});

export const draftSchema = draftPlaceSchema.extend({
  /** The version that the draft started from. Null: the action is new. */
  version: startedFrom.nullable(),
  /** The revision that the tab has last read or stored. Null: none. */
  revision: startedFrom.nullable(),
  /** The editor's fields as JSON. Only the editor knows their form. */
  content: z
    .string()
    .min(2)
    .refine((text) => Buffer.byteLength(text) <= maxDraftBytes, tooLarge),
});

/** The result of storing or discarding a draft. Times are of the server. */
export type StoredDraft = {
  /** False: the draft was changed in another tab. `revision` is of what is there. */
  readonly isStored: boolean;
  /** Null: there is no draft now. */
  readonly revision: number | null;
  readonly savedAtMs: number;
  /** The action's version in force. Null: the action is new. */
  readonly currentVersion: number | null;
};
