import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { BrokerUrl } from "#lib/core/env/broker-url.ts";
import type { SpoolEnv } from "#lib/core/env/spool-settings.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { toBrokerError } from "./broker-error.ts";
import { findFrames, type ReadRules } from "./records/find-frames.ts";
import {
  type Frame,
  keyIdOf,
  type RecordFault,
  readRecord,
  SpoolVersionError,
  signAgain,
} from "./records/record.ts";
import type { RecordKeys } from "./records/record-keys.ts";
import type { UnsignedFiles } from "./records/unsigned-files.ts";

/** A part of a file or message that was set aside: a record, or what can't be read. */
export type SetAside = {
  /** The name of its file, or of its message. */
  readonly name: string;
  readonly bytes: number;
  /** None: it has a fault. */
  readonly deliveries: readonly NewDelivery[];
  /** Why it can't be stored again. Null: it can. */
  readonly fault: SetAsideFault | null;
  /** The id of the key that it is signed with, if that isn't known. */
  readonly keyId: string | null;
};

type SetAsideFault = RecordFault | "other_version";

/** @returns true to remove the part */
export type VisitSetAside = (part: SetAside) => Promise<boolean>;

/** The folder of what was set aside in a spool's folder. */
export const setAsideFolder = "set-aside";

export type AsideAccess = Pick<SpoolEnv, "folder" | "broker"> & {
  readonly keys: RecordKeys;
  /** Records that an earlier version has left. Null: this version hasn't been started yet. */
  readonly unsigned: UnsignedFiles | null;
  /** True if the operator trusts all others too. */
  readonly trustsAll: boolean;
};

/** Calls `visit` for everything that was set aside, one after the other, also while Catchment runs. */
export async function visitSetAside(access: AsideAccess, visit: VisitSetAside): Promise<void> {
  if (access.broker === undefined) await visitFolder(access, visit);
  else await visitQueue(access, access.broker, visit);
}

async function visitFolder(access: AsideAccess, visit: VisitSetAside): Promise<void> {
  const folder = join(access.folder, setAsideFolder);
  for (const name of await listNames(folder)) {
    const path = join(folder, name);
    const file = await readIfThere(path);
    if (file === null) continue;
    const trusted = access.unsigned?.trustedBytes(`${setAsideFolder}/${name}`) ?? 0;
    const left = await visitParts(name, file, toRules(access, trusted === file.length), visit);
    if (left === null) continue;
    if (left.length === 0) await rm(path, { force: true });
    else await replaceFile(path, left);
  }
}

/** @returns what is left of the bytes. Null: all of it */
async function visitParts(
  name: string,
  file: Buffer,
  rules: ReadRules,
  visit: VisitSetAside,
): Promise<Buffer | null> {
  const left: Buffer[] = [];
  let removed = file.length === 0 ? 1 : 0;
  for (const frame of findFrames(file, rules)) {
    const { at, end } = frame;
    const part = { name, bytes: end - at, ...readContent(file, frame) };
    if (await visit(part)) removed += 1;
    else left.push(file.subarray(at, end));
  }
  return removed === 0 ? null : Buffer.concat(left);
}

function toRules({ keys, trustsAll }: AsideAccess, isTrusted: boolean): ReadRules {
  return { keys, unsigned: trustsAll ? "anywhere" : isTrusted ? "in_place" : "never" };
}

/** Null: another command has stored and removed it, or someone has deleted it. */
async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${newId()}.new`;
  await writeFile(draft, bytes, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/** A name that ends with `.new` isn't whole yet. */
async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.endsWith(".new")).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Signs what an earlier process has set aside with the present key, while the previous one is known:
 * it may stay there for longer than that key.
 */
export async function signAsideAgain(spoolFolder: string, keys: RecordKeys): Promise<void> {
  if (keys.previous.length === 0) return;
  const folder = join(spoolFolder, setAsideFolder);
  const { current } = keys;
  for (const name of await listNames(folder)) {
    const path = join(folder, name);
    const file = await readIfThere(path);
    if (file === null) continue;
    const parts: Buffer[] = [];
    for (const frame of findFrames(file, { keys, unsigned: "never" })) {
      const part = file.subarray(frame.at, frame.end);
      parts.push(frame.kind === "record" ? signAgain(part, current) : part);
    }
    const signed = Buffer.concat(parts);
    if (!signed.equals(file)) await replaceFile(path, signed);
  }
}

/** Messages that aren't acknowledged go back into the queue at the end. */
async function visitQueue(
  access: AsideAccess,
  broker: BrokerUrl,
  visit: VisitSetAside,
): Promise<void> {
  const { connectToAny } = await import("./broker-link.ts");
  const { nameSetAside } = await import("./broker-queues.ts");
  const connection = await connectToAny(broker);
  const rules = toRules(access, access.unsigned?.trustsMessages(Date.now()) ?? false);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => {});
    const { queue, messageCount } = await channel.checkQueue(nameSetAside(broker.queue));
    for (let seen = 0; seen < messageCount; seen += 1) {
      const message = await channel.get(queue);
      if (message === false) break;
      const { content, properties } = message;
      const name = String(properties.messageId ?? "unknown");
      // A message of which something is left stays as it is: what is stored isn't stored again.
      const left = await visitParts(name, content, rules, visit);
      if (left?.length === 0) channel.ack(message);
    }
    await channel.close();
  } catch (error) {
    // Nothing was ever set aside, or the connection is gone.
    const { code, message } = toBrokerError(error);
    if (code !== "BROKER_SETUP" || !message.includes("NOT_FOUND")) throw error;
  } finally {
    await connection.close().catch(() => {});
  }
}

function readContent(file: Buffer, frame: Frame): Pick<SetAside, "deliveries" | "fault" | "keyId"> {
  const none = { deliveries: [], keyId: null };
  if (frame.kind === "unreadable") {
    const { fault, at } = frame;
    return { ...none, fault, keyId: fault === "unknown_key" ? keyIdOf(file, at) : null };
  }
  try {
    return { ...none, deliveries: readRecord(file, frame).deliveries, fault: null };
  } catch (error) {
    if (!(error instanceof SpoolVersionError)) throw error;
    return { ...none, fault: "other_version" };
  }
}
