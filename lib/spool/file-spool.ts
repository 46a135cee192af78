import { existsSync } from "node:fs";
import { unlink, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { DatabaseDisk } from "#lib/db/postgres/database-disk.ts";
import type { FolderLock } from "./lock-folder.ts";
import { listAside, makeAside, type OpenedFolder, openFolder } from "./open-folder.ts";
import { readSegment } from "./read-segment.ts";
import { AsideRequests } from "./records/aside-requests.ts";
import type { ReadRules } from "./records/find-frames.ts";
import { type SpooledBatch, toRecord } from "./records/record.ts";
import type { RecordKeys } from "./records/record-keys.ts";
import type { UnsignedFiles } from "./records/unsigned-files.ts";
import {
  endSegment,
  type Segment,
  SegmentWriter,
  segmentEnd,
  setPartAside,
  syncFolder,
  type UnreadablePart,
} from "./segment.ts";
import { setAsideFolder } from "./set-aside.ts";
import {
  countFitting,
  type Left,
  maxAsideNames,
  type SizedBatch,
  type Spool,
  SpoolFullError,
  type SpoolIdentity,
  type SpoolState,
} from "./spool.ts";

export type FileSpoolOptions = {
  readonly folder: string;
  /** The most that waits in this process. */
  readonly maxBytes: number;
  /** The folder's disk. While it is low, the spool takes nothing. Closing the spool stops it. */
  readonly disk: Pick<DatabaseDisk, "isLow" | "stop">;
  readonly now: () => number;
  readonly keys: RecordKeys;
  /** Records that an earlier version has left. Default: none. */
  readonly unsigned?: Pick<UnsignedFiles, "trustedBytes">;
  /** The size at which the next file begins. Default: 16 MiB. */
  readonly maxSegmentBytes?: number;
};

/** The file that is being removed record by record. */
type Head = { readonly segment: Segment; readonly batches: readonly SizedBatch[]; taken: number };

/**
 * A spool in a folder of this machine. A batch is one record, synchronized to the disk. Each process
 * writes files of its own, oldest first, and takes over those of dead processes. A file is removed
 * once all of its records are. After a crash in between, they are read again, and the ids of
 * their deliveries say what is stored already.
 */
export class FileSpool implements Spool {
  readonly #options: FileSpoolOptions;
  readonly #own: string;
  readonly #requests: AsideRequests;
  readonly identity: SpoolIdentity;
  #locks: FolderLock[];
  /** Complete files, oldest first. */
  #segments: Segment[];
  #head: Head | null = null;
  #writer: SegmentWriter | null = null;
  #nextNumber: number;
  #aside: readonly string[];
  /** Appends and rotations, one after the other. */
  #writing: Promise<unknown> = Promise.resolve();
  #deliveries = 0;
  #bytes = 0;

  private constructor(options: FileSpoolOptions, opened: OpenedFolder) {
    this.#options = options;
    this.#own = opened.own.path;
    this.#requests = new AsideRequests(options.folder);
    this.identity = opened.identity;
    this.#locks = opened.locks;
    this.#segments = opened.segments;
    this.#aside = opened.aside;
    this.#nextNumber = nextNumber(opened.own.files);
    for (const { deliveries, bytes } of opened.segments) this.#add(deliveries, bytes);
  }

  /** Opens the spool, with the files that dead processes left. */
  static async open(options: FileSpoolOptions): Promise<FileSpool> {
    return new FileSpool(options, await openFolder(options.folder));
  }

  get state(): SpoolState {
    const { maxBytes } = this.#options;
    const oldestAtMs = this.#deliveries === 0 ? null : this.#findOldest();
    const counts = { deliveries: this.#deliveries, waiting: this.#deliveries, bytes: this.#bytes };
    return {
      ...{ ...counts, maxBytes, oldestAtMs },
      ...{ setAside: this.#aside.length, asideNames: this.#aside.slice(0, maxAsideNames) },
    };
  }

  get left(): Left {
    return this.#deliveries === 0 ? "nothing" : "something";
  }

  get isIdle(): boolean {
    return this.#deliveries === 0;
  }

  get hasRoom(): boolean {
    return this.#bytes < this.#options.maxBytes && !this.#options.disk.isLow();
  }

  /** No other process puts anything into the files of this one. */
  listen(): void {}

  async append(deliveries: readonly NewDelivery[]): Promise<void> {
    const atMs = this.#options.now();
    const record = toRecord(deliveries, atMs, this.#options.keys.current);
    await this.#inOrder(async () => {
      if (this.#bytes + record.length > this.#options.maxBytes || this.#options.disk.isLow())
        throw new SpoolFullError();
      const writer = await this.#openWriter();
      await writer.append(record, deliveries.length, atMs);
      this.#add(deliveries.length, record.length);
    });
  }

  async oldest(): Promise<readonly SpooledBatch[]> {
    const { batches, taken } = await this.#loadHead();
    const rest = batches.slice(taken);
    return rest.slice(0, countFitting(rest)).map(({ batch }) => batch);
  }

  async remove(count: number): Promise<void> {
    const head = this.#head;
    if (head === null) return;
    for (const { batch, bytes } of head.batches.slice(head.taken, head.taken + count))
      this.#add(-batch.deliveries.length, -bytes);
    head.taken += count;
    await this.#requests.end();
    await this.#dropEmptyHead();
  }

  /** It may be read again after a crash, when the operator's request has ended. */
  isToSetAside(deliveryId: string): boolean {
    const path = join(this.#options.folder, setAsideFolder, `${deliveryId}${segmentEnd}`);
    return existsSync(path) || this.#requests.has(deliveryId);
  }

  async setAside(delivery: NewDelivery): Promise<void> {
    const folder = await makeAside(this.#options.folder);
    const path = join(folder, `${delivery.id}${segmentEnd}`);
    const record = toRecord([delivery], this.#options.now(), this.#options.keys.current);
    // The same file again, if a crash came between this and its removal.
    await writeFile(path, record, { mode: 0o600, flush: true });
    await syncFolder(folder);
    this.#requests.done(delivery.id);
    await this.refresh();
  }

  /** Does nothing, because no other process can drain the files of this one. */
  async giveBack(): Promise<void> {}

  async refresh(): Promise<void> {
    this.#aside = await listAside(this.#options.folder);
  }

  async close(): Promise<void> {
    await this.#inOrder(async () => {
      await this.#writer?.close();
      this.#writer = null;
    });
    this.#options.disk.stop();
    for (const lock of this.#locks) lock.release();
    this.#locks = [];
  }

  #inOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    const working = this.#writing.then(work);
    this.#writing = working.catch(() => {});
    return working;
  }

  async #openWriter(): Promise<SegmentWriter> {
    const { maxSegmentBytes = 16 * 1024 * 1024 } = this.#options;
    const current = this.#writer;
    if (current !== null && !current.isBroken && current.segment.bytes < maxSegmentBytes)
      return current;
    await this.#finishWriter();
    const name = `${String(this.#nextNumber).padStart(numberDigits, "0")}${segmentEnd}`;
    this.#nextNumber += 1;
    this.#writer = await SegmentWriter.create(join(this.#own, name));
    return this.#writer;
  }

  /** Makes the file that is being written the newest of those that can be read. */
  async #finishWriter(): Promise<void> {
    const writer = this.#writer;
    if (writer === null) return;
    this.#writer = null;
    const { segment } = writer;
    // What is in it is on the disk, also if it can't be closed.
    if (segment.deliveries > 0) this.#segments.push(segment);
    await writer.close();
    if (segment.deliveries === 0) await unlink(segment.path);
  }

  /** If its file can't be removed, the next turn tries again. */
  async #dropEmptyHead(): Promise<void> {
    const head = this.#head;
    if (head === null || head.taken < head.batches.length) return;
    await endSegment(head.segment, await makeAside(this.#options.folder));
    this.#head = null;
    if (head.segment.isKept) await this.refresh();
  }

  async #loadHead(): Promise<Head> {
    await this.#dropEmptyHead();
    if (this.#head !== null) return this.#head;
    if (this.#segments.length === 0) await this.#inOrder(() => this.#finishWriter());
    const [segment] = this.#segments;
    if (segment === undefined) return noHead;
    const { batches, unreadable, read } = await readSegment(segment, this.#rulesFor(segment));
    // What the disk can't read isn't in these parts, so the whole file is kept.
    if (!read.isKept) await this.#setPartsAside(segment, unreadable);
    this.#segments.shift();
    this.#add(read.deliveries - segment.deliveries, read.bytes - segment.bytes);
    this.#head = { segment: read, batches, taken: 0 };
    return batches.length > 0 ? this.#head : await this.#loadHead();
  }

  #rulesFor({ path, bytes, isLeft }: Segment): ReadRules {
    const { folder, keys, unsigned } = this.#options;
    // One that has grown since isn't what was left.
    const isTrusted = isLeft && unsigned?.trustedBytes(relative(folder, path)) === bytes;
    return { keys, unsigned: isTrusted ? "in_place" : "never" };
  }

  async #setPartsAside({ path }: Segment, parts: readonly UnreadablePart[]): Promise<void> {
    if (parts.length === 0) return;
    const folder = await makeAside(this.#options.folder);
    for (const part of parts) await setPartAside(path, part, folder);
    await this.refresh();
  }

  #findOldest(): number | null {
    const head = this.#head?.batches[this.#head.taken];
    return head?.batch.atMs ?? (this.#segments[0] ?? this.#writer?.segment)?.firstAtMs ?? null;
  }

  #add(deliveries: number, bytes: number): void {
    this.#deliveries += deliveries;
    this.#bytes += bytes;
  }
}

const noHead: Head = {
  segment: {
    path: "",
    bytes: 0,
    deliveries: 0,
    firstAtMs: 0,
    isLeft: false,
    endsAt: null,
    isKept: false,
  },
  batches: [],
  taken: 0,
};

/** The digits of a file's number. Padded, names sort like numbers. */
const numberDigits = 12;

function nextNumber(paths: readonly string[]): number {
  const numbers = paths.map((path) => Number.parseInt(basename(path), 10));
  return Math.max(0, ...numbers.filter((number) => number < 10 ** numberDigits)) + 1;
}
