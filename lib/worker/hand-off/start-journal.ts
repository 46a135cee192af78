import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";

type Start = { readonly id: string; readonly leaseId: string };

/** The notes of the process before this one. */
export type Noted = {
  readonly leaseIds: readonly string[];
  readonly startedIds: readonly string[];
};

const idBytes = 16;
const recordBytes = 2 * idBytes;
/** In place of a run: the lease exists. */
const noRun = "00000000-0000-0000-0000-000000000000";
/** At 3,000 starts a second, it is rewritten every ten seconds. */
const maxBytes = 1024 * 1024;

/**
 * Notes which of the runs that were handed over have started, so that after a `kill -9` the others
 * can be told from them (docs/decisions/catch/173). It isn't flushed: what the kernel has survives the
 * process. It doesn't survive a power cut, so notes of an earlier start of the machine don't count.
 *
 * A file of a first line with the id of the machine's start, then records of 32 bytes: a lease and a run.
 */
export class StartJournal {
  readonly before: Noted;
  readonly #path: string | undefined;
  readonly #head: Buffer;
  #file: number | undefined;
  #bytes = 0;

  /**
   * Opens or makes the file. What the process before it noted stays in it until `rewrite`.
   *
   * @param path undefined: nothing is noted
   * @param bootId of this start of the machine. Undefined: nothing is noted
   */
  constructor(path: string | undefined, bootId: string | undefined) {
    this.#path = bootId === undefined ? undefined : path;
    this.#head = Buffer.from(`${bootId ?? ""}\n`);
    const records = readRecords(this.#path, this.#head);
    this.before = toNoted(records ?? Buffer.alloc(0));
    if (records === undefined) this.rewrite([], []);
    else this.#continue(this.#head.byteLength + records.byteLength);
  }

  /** True if it notes what starts. Without it, no run may wait in memory. */
  get works(): boolean {
    return this.#file !== undefined;
  }

  get isFull(): boolean {
    return this.#bytes > maxBytes;
  }

  #continue(bytes: number): void {
    this.#try((path) => {
      this.#file = openSync(path, "r+");
      this.#bytes = bytes;
      // The last record may have been cut off.
      ftruncateSync(this.#file, bytes);
    });
  }

  /** Call it before any run is stored with this lease. */
  open(leaseId: string): void {
    this.#append([{ leaseId, id: noRun }]);
  }

  /** Call it before these runs start. */
  start(runs: readonly Start[]): void {
    this.#append(runs);
  }

  /** Keeps only these leases, and runs that have started and aren't recorded yet. */
  rewrite(leaseIds: readonly string[], started: readonly Start[]): void {
    this.#try((path) => {
      const opened = leaseIds.map((leaseId) => ({ leaseId, id: noRun }));
      const bytes = Buffer.concat([this.#head, toRecords([...opened, ...started])]);
      const next = `${path}.next`;
      this.close();
      this.#file = openSync(next, "w", 0o600);
      write(this.#file, bytes, 0);
      renameSync(next, path);
      this.#bytes = bytes.byteLength;
    });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#bytes = 0;
  }

  #append(starts: readonly Start[]): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#try(() => {
      const records = toRecords(starts);
      write(file, records, this.#bytes);
      this.#bytes += records.byteLength;
    });
  }

  /** If it can't note everything, it notes nothing: each run that was handed over may have started. */
  #try(note: (path: string) => void): void {
    const path = this.#path;
    if (path === undefined) return;
    try {
      note(path);
    } catch (error) {
      log.error("hand_off.not_noted", { error: toError(error) });
      this.close();
      remove(path);
    }
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    log.error("hand_off.notes_not_removed", { path, error: toError(error) });
  }
}

function write(file: number, bytes: Buffer, at: number): void {
  if (writeSync(file, bytes, 0, bytes.byteLength, at) < bytes.byteLength)
    throw new Error("The disk is full.");
}

/** Undefined: there are none of this start of the machine. */
function readRecords(path: string | undefined, head: Buffer): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    const bytes = readFileSync(path);
    if (!bytes.subarray(0, head.byteLength).equals(head)) return undefined;
    const records = bytes.subarray(head.byteLength);
    return records.subarray(0, records.byteLength - (records.byteLength % recordBytes));
  } catch {
    return undefined;
  }
}

function toNoted(records: Buffer): Noted {
  const leaseIds = new Set<string>();
  const startedIds = new Set<string>();
  for (let at = 0; at < records.byteLength; at += recordBytes) {
    leaseIds.add(toId(records, at));
    startedIds.add(toId(records, at + idBytes));
  }
  startedIds.delete(noRun);
  return { leaseIds: [...leaseIds], startedIds: [...startedIds] };
}

function toRecords(starts: readonly Start[]): Buffer {
  return Buffer.from(
    starts
      .map(({ leaseId, id }) => leaseId + id)
      .join("")
      .replaceAll("-", ""),
    "hex",
  );
}

function toId(records: Buffer, at: number): string {
  const hex = records.toString("hex", at, at + idBytes);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
