import type { ReadForm } from "#components/ui/form/send-json.ts";

type Input = Readonly<Record<string, unknown>>;

/** A change with the version that it started from, so that it can't undo another user's change. */
export function startingFrom(version: number | null, read: ReadForm<Input>): ReadForm<Input> {
  return read.ok && version !== null ? { ok: true, input: { ...read.input, version } } : read;
}
