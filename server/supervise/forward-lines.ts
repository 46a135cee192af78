import type { Readable, Writable } from "node:stream";

const maxLineBytes = 1024 * 1024;

/**
 * Forwards complete lines only, many per write. A line without an end is forwarded when its writer
 * has ended. Without a reader (`npm start | head`) lines are dropped: a writer whose pipe is full
 * would block.
 */
export function forwardLines(from: Readable, to: Writable): void {
  let rest = Buffer.alloc(0);
  from.on("data", (chunk: Buffer) => {
    if (to.destroyed) return;
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end === 0 && rest.length + chunk.length <= maxLineBytes) {
      rest = Buffer.concat([rest, chunk]);
      return;
    }
    const cut = end === 0 ? chunk.length : end;
    const whole = chunk.subarray(0, cut);
    const flowing = to.write(rest.length === 0 ? whole : Buffer.concat([rest, whole]));
    rest = Buffer.from(chunk.subarray(cut));
    if (flowing || to.destroyed) return;
    from.pause();
    const resume = (): void => {
      to.off("drain", resume).off("close", resume);
      from.resume();
    };
    to.once("drain", resume).once("close", resume);
  });
  from.on("end", () => {
    if (!to.destroyed && rest.length > 0) to.write(Buffer.concat([rest, Buffer.from("\n")]));
  });
}
