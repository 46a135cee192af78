import type { CommandInput } from "../frame/command.ts";

const known = ["r", "o", "d"] as const;

/** Called with the key that a person pressed. */
export type Keys = (key: (typeof known)[number]) => void;

/** Hears the keys of a person who watches. Returns how to stop. */
export function watchKeys({ isInteractive }: CommandInput, onKey: Keys): () => void {
  const { stdin } = process;
  if (!isInteractive || !stdin.isTTY) return () => {};
  const onData = (data: Buffer) => {
    const pressed = data.toString();
    const key = known.find((one) => one === pressed);
    if (key !== undefined) onKey(key);
    // In raw mode, Ctrl+C is a key like any other.
    if (pressed === "\u0003") process.kill(process.pid, "SIGINT");
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
