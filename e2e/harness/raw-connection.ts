import { Socket } from "node:net";

type RawConnectionOptions = {
  readonly port: number;
  /** Once for each written request, when the complete response has arrived. */
  onResponse(status: number, body: string, head: string): void;
  /**
   * Called when the connection failed or was closed. `wasWaiting`: a request had been sent and its
   * response had not arrived.
   */
  onLost(wasWaiting: boolean): void;
};

const headEnd = Buffer.from("\r\n\r\n");

/**
 * One keep-alive connection with one request at a time, on a bare socket: a fifth of the cost of an
 * HTTP client, so that on a small machine the load generator doesn't compete with what it measures.
 * It reads only the status line and Content-Length. A response without Content-Length counts as a
 * lost connection.
 */
export class RawConnection {
  readonly #options: RawConnectionOptions;
  readonly #socket: Socket;
  #rest: Buffer | null = null;
  #isWaiting = false;
  #isConnected = false;
  #isLost = false;

  constructor(options: RawConnectionOptions) {
    this.#options = options;
    this.#socket = new Socket({
      onread: {
        buffer: new Uint8Array(16 * 1024),
        callback: (length, buffer) => this.#read(buffer.subarray(0, length)),
      },
    });
    this.#socket.setNoDelay(true);
    this.#socket.connect({ host: "127.0.0.1", port: options.port });
    this.#socket.once("connect", () => {
      this.#isConnected = true;
    });
    this.#socket.once("error", () => this.#lose());
    this.#socket.once("end", () => this.#lose());
    this.#socket.once("close", () => this.#lose());
  }

  send(request: Uint8Array): void {
    this.#isWaiting = true;
    this.#socket.write(request);
  }

  destroy(): void {
    this.#isLost = true;
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): boolean {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const data = this.#rest === null ? fresh : Buffer.concat([this.#rest, fresh]);
    const headLength = data.indexOf(headEnd);
    const bodyStart = headLength + headEnd.length;
    const head = headLength < 0 ? "" : data.toString("latin1", 0, headLength);
    const length = headLength < 0 ? 0 : readContentLength(head);
    if (headLength < 0 || data.length < bodyStart + length) {
      // The socket's buffer is reused for the next read.
      this.#rest = Buffer.from(data);
      return true;
    }
    this.#rest = null;
    if (Number.isNaN(length)) {
      this.#socket.destroy();
      this.#lose();
      return false;
    }
    this.#isWaiting = false;
    this.#options.onResponse(
      Number(head.slice(9, 12)),
      data.toString("latin1", bodyStart, bodyStart + length),
      head,
    );
    return true;
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#socket.destroy();
    this.#options.onLost(this.#isWaiting && this.#isConnected);
  }
}

function readContentLength(head: string): number {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  return match === null ? Number.NaN : Number(match[1]);
}
