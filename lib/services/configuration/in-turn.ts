import { oncePerProcess } from "#lib/base/once.ts";
import { busyServer } from "#lib/services/threads/web-threads.ts";

/** Each plan holds a connection, so an account makes one at a time, and all of them together two. */
const maxAtOnce = 2;
const maxWaiting = 100;

type Turns = {
  running: number;
  readonly waiting: { accountId: string; start: () => void }[];
  readonly accounts: Set<string>;
};

const turns = oncePerProcess(
  "catchmentConfigurationTurns",
  (): Turns => ({ running: 0, waiting: [], accounts: new Set() }),
);

/** Throws `rate_limited` if too many wait. */
export async function inTurn<Value>(accountId: string, work: () => Promise<Value>): Promise<Value> {
  const { waiting, accounts } = turns();
  if (waiting.length >= maxWaiting) throw busyServer();
  await new Promise<void>((start) => {
    waiting.push({ accountId, start });
    startNext();
  });
  try {
    return await work();
  } finally {
    turns().running -= 1;
    accounts.delete(accountId);
    startNext();
  }
}

function startNext(): void {
  const state = turns();
  if (state.running >= maxAtOnce) return;
  const index = state.waiting.findIndex(({ accountId }) => !state.accounts.has(accountId));
  const [next] = index === -1 ? [] : state.waiting.splice(index, 1);
  if (next === undefined) return;
  state.running += 1;
  state.accounts.add(next.accountId);
  next.start();
}
