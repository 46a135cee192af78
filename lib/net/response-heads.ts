import type { Socket } from "node:net";
import { repairHead } from "#lib/core/api/http/repair-head.ts";

/** A server may send some interim responses (RFC 9110 §15.2), but not a flood of them. */
export const maxInterimResponses = 16;

/** Is told of the first byte of its response. */
type Expecting = { onResponseStarted(): void };

/**
 * Repairs the head of each response between the socket and undici's parser, which takes some legal
 * ones for failures: the call would be repeated, although the receiver has processed it. A connection
 * has one exchange at a time.
 */
export class ResponseHeads {
  readonly #maxBytes: number;
  #exchange: Expecting | null = null;
  /** False: a body follows, or nothing. */
  #isExpecting = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #interim = 0;

  /** @param maxBytes of a head. The parser rejects a larger one */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Passes what is read from the socket through this. */
  attach(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const chunk: Buffer | null = read(size);
      return chunk === null || !this.#isExpecting ? chunk : this.#take(chunk);
    };
  }

  /** A request is sent, so the next bytes are a head. The parser sees them once it is complete. */
  expect(exchange: Expecting): void {
    this.#release();
    this.#exchange = exchange;
    this.#isExpecting = true;
    this.#interim = 0;
  }

  /** The bytes that the parser may see now. */
  #take(chunk: Buffer): Buffer | null {
    this.#exchange?.onResponseStarted();
    const bytes = this.#held.length === 0 ? skipEmptyLines(chunk) : chunk;
    if (bytes.length === 0) return null;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#mayBeComplete(bytes)) return this.#repair();
    return isHttp(this.#held[0]) && this.#heldBytes <= this.#maxBytes ? null : this.#release();
  }

  /** Looks for the empty line in the new bytes only: they may come one by one. */
  #mayBeComplete(bytes: Buffer): boolean {
    if (bytes.includes("\n\r\n") || bytes.includes("\n\n")) return true;
    if (this.#held.length === 1 || bytes[0] === undefined || bytes[0] > 13) return false;
    const seam = Buffer.concat([...this.#held.slice(-3, -1), bytes.subarray(0, 2)]);
    return seam.includes("\n\r\n") || seam.includes("\n\n");
  }

  #repair(): Buffer {
    const bytes = this.#release();
    const head = this.#interim > maxInterimResponses ? null : repairHead(bytes);
    if (head === null || (head.repaired === null && !head.isInterim)) return bytes;
    const start = head.repaired ?? bytes.subarray(0, head.end);
    const rest = bytes.subarray(head.end);
    if (!head.isInterim) return Buffer.concat([start, rest]);
    this.#interim += 1;
    this.#isExpecting = true;
    const next = rest.length === 0 ? null : this.#take(rest);
    return next === null ? start : Buffer.concat([start, next]);
  }

  /** Leaves what was held to the parser, and what follows too. */
  #release(): Buffer {
    const [first, ...others] = this.#held;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#held);
    this.#isExpecting = false;
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }
}

/** Servers send some before a status line (RFC 9112 §2.2). */
function skipEmptyLines(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 13 && byte !== 10);
  return start === -1 ? bytes.subarray(0, 0) : bytes.subarray(start);
}

const protocol = Buffer.from("HTTP/");

function isHttp(start: Buffer | undefined): boolean {
  const length = Math.min(start?.length ?? 0, protocol.length);
  return start?.subarray(0, length).equals(protocol.subarray(0, length)) ?? false;
}
