import {
  type ChainedEntry,
  type ChainLink,
  firstMac,
  isSameMac,
  macOfCheckpoint,
  macOfEntry,
  macOfHead,
} from "./chain.ts";

/** The event that Catchment records when it finds that its last entry isn't the newest any more. */
export const brokenChainEvent = "audit.chain.broken";

/** The head of a chain, as the database has it. */
export type StoredHead = ChainLink & {
  readonly keyId: string;
  readonly headMac: Uint8Array;
  /** Entries up to this one may have been removed by their retention. 0: none. */
  readonly keptAfter: bigint;
  readonly keptMac: Uint8Array | null;
  readonly checkpointMac: Uint8Array | null;
};

/** An entry by its number and its code, noted outside of the database. */
export type NotedHead = Pick<ChainLink, "seq" | "mac">;

export type StoredEntry = ChainedEntry & { readonly mac: Uint8Array };

/**
 * Verifies a chain entry by entry, oldest first, so that it needs no memory for a long one. Each
 * finding is a sentence that says which entries are affected, and how.
 */
export class ChainVerifier {
  readonly #key: Uint8Array;
  readonly #head: StoredHead;
  readonly #noted: NotedHead | null;
  readonly #findings: string[] = [];
  /** The code of the entry before. Null: that entry is missing. */
  #before: Uint8Array | null;
  #next: bigint;
  #isNotedSeen = false;
  #count = 0;

  /** @param noted a head from the log or from paper, which has to be in the chain */
  constructor(key: Uint8Array, head: StoredHead, noted: NotedHead | null = null) {
    this.#key = key;
    this.#head = head;
    this.#noted = noted;
    this.#before = this.#startAt(head);
    this.#next = head.keptAfter + 1n;
  }

  add(entry: StoredEntry): void {
    this.#count += 1;
    if (entry.seq > this.#next) this.#report(this.#next, entry.seq - 1n, missing);
    if (entry.seq !== this.#next) this.#before = null;
    this.#checkEntry(entry);
    if (this.#noted?.seq === entry.seq) this.#checkNoted(entry, this.#noted);
    this.#before = entry.mac;
    this.#next = entry.seq + 1n;
  }

  /** @returns the number of entries, and the findings. None: the log is as it was written */
  end(): { readonly count: number; readonly findings: readonly string[] } {
    const { seq } = this.#head;
    if (!isSameMac(this.#head.headMac, macOfHead(this.#key, this.#head)))
      this.#findings.push(`The head, which says that ${seq} is the newest entry, was changed.`);
    const last = this.#next - 1n;
    if (last < seq) this.#report(this.#next, seq, missing);
    if (last === seq && this.#before !== null && !isSameMac(this.#before, this.#head.mac))
      this.#findings.push(`Entry ${seq} isn't the one that the head refers to.`);
    this.#checkUnseen();
    return { count: this.#count, findings: this.#findings };
  }

  /** The code before the first entry that is kept. */
  #startAt({ accountId, keptAfter, keptMac, checkpointMac }: StoredHead): Uint8Array | null {
    if (keptAfter === 0n) return firstMac;
    if (keptMac !== null && checkpointMac !== null) {
      const link = { accountId, seq: keptAfter, mac: keptMac };
      if (isSameMac(checkpointMac, macOfCheckpoint(this.#key, link))) return keptMac;
    }
    this.#findings.push(
      `Entries 1 to ${keptAfter} were removed, and not by their retention: its checkpoint was changed.`,
    );
    return null;
  }

  #checkEntry(entry: StoredEntry): void {
    const { seq, event } = entry;
    if (seq > this.#head.seq) this.#report(seq, seq, "was added after the head");
    if (entry.keyId !== this.#head.keyId) {
      this.#report(seq, seq, "has the key of another head, so it can't be verified");
      return;
    }
    const isRestart = event === brokenChainEvent;
    const before = isRestart && !this.#isLinked(entry) ? firstMac : this.#before;
    if (before !== null && !isSameMac(entry.mac, macOfEntry(this.#key, entry, before)))
      this.#report(seq, seq, "was changed, or moved here from another place");
    else if (isRestart) this.#findings.push(describeBreak(entry));
  }

  #isLinked(entry: StoredEntry): boolean {
    return (
      this.#before !== null && isSameMac(entry.mac, macOfEntry(this.#key, entry, this.#before))
    );
  }

  #checkNoted({ seq, mac }: StoredEntry, noted: NotedHead): void {
    this.#isNotedSeen = true;
    if (!isSameMac(mac, noted.mac))
      this.#findings.push(`Entry ${seq} isn't the one that was noted: the log was written again.`);
  }

  #checkUnseen(): void {
    const noted = this.#noted;
    if (noted === null || this.#isNotedSeen) return;
    const { keptAfter } = this.#head;
    if (noted.seq > keptAfter)
      this.#findings.push(`Entry ${noted.seq} was noted as the newest one, and is missing.`);
    else if (noted.seq === keptAfter && !isSameMac(noted.mac, this.#head.keptMac ?? firstMac))
      this.#findings.push(`Entry ${noted.seq} wasn't the one that was noted.`);
  }

  /** Neighbors with the same finding are one sentence. */
  #report(from: bigint, to: bigint, what: string): void {
    const last = this.#ranges.at(-1);
    if (last !== undefined && last.what === what && last.to + 1n === from) {
      last.to = to;
      this.#findings[last.index] = toSentence(last);
      return;
    }
    const range = { from, to, what, index: this.#findings.length };
    this.#ranges.push(range);
    this.#findings.push(toSentence(range));
  }

  readonly #ranges: Range[] = [];
}

type Range = { readonly from: bigint; to: bigint; readonly what: string; readonly index: number };

const missing = "is missing";

function toSentence({ from, to, what }: Range): string {
  if (from === to) return `Entry ${from} ${what}.`;
  const plural = what.replace(/^is /, "are ").replace(/^was /, "were ").replace(/^has /, "have ");
  return `Entries ${from} to ${to} ${plural.replace("it can't", "they can't")}.`;
}

/** Catchment noticed by itself, and says what. */
function describeBreak({ seq, at, targets }: StoredEntry): string {
  const [first]: { name?: string }[] = JSON.parse(targets);
  const why = first?.name ?? "";
  return `At entry ${seq}, ${at.toISOString()}, Catchment found the log changed. ${why}`.trimEnd();
}
