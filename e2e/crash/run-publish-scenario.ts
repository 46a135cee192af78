import { setTimeout as delay } from "node:timers/promises";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checksUsage, checkUsage } from "./check-usage.ts";
import { waitForDrain } from "./evidence.ts";
import { kill, waitForRole } from "./kill.ts";
import { endsSupervisor, type KillTarget, planKills } from "./kill-plan.ts";
import { measurePace } from "./pace.ts";
import { type Publishers, startPublishers } from "./publishers.ts";
import { type Receivers, receiversOf, startReceivers } from "./testing/receivers.ts";

type PublishScenario = {
  readonly seed: number;
  readonly kills: number;
  readonly targets: readonly KillTarget[];
  readonly clients: number;
  /** A module that every process of the server loads first. See `mutants/`. */
  readonly mutant?: string;
  readonly folder: string;
  say(line: string): void;
};

type PublishVerdict = {
  readonly invariant: "P1" | "P2" | "P3" | "P4" | "U1";
  readonly promise: string;
  /** The breaches of the invariant. Empty: it holds. */
  readonly breaches: readonly string[];
};

/** Kills the server while it publishes and sends, lets the queue drain, and checks what arrived. */
export async function runPublishScenario(
  scenario: PublishScenario,
): Promise<readonly PublishVerdict[]> {
  const { folder, mutant, clients, seed, say } = scenario;
  const access = makeAccess();
  const port = await findFreePort();
  const env = mutant === undefined ? {} : { NODE_OPTIONS: `--import=${mutant}` };
  const pace = measurePace();
  const options = { folder, port, roles: ["catch", "worker"], env } as const;
  const start = () => pace.time(() => startServer(options, access));
  const receivers = await startReceivers();
  let server = await start();
  try {
    const { apiToken, secretKey } = access;
    await receivers.subscribe({ databaseUrl: server.databaseUrl(), secretKey });
    const publishers = startPublishers({ port, apiToken, clients, tag: seed.toString(36) });
    for (const { target, afterMs } of planKills(scenario.kills, scenario.targets, seed)) {
      await delay(afterMs);
      const killed = await kill(server, target);
      if (endsSupervisor(target)) server = await start();
      else await waitForRole(server, target, killed.pids);
      const before = publishers.acknowledged.length;
      await waitUntil("an event to be acknowledged", 300_000, async () =>
        publishers.acknowledged.length > before ? true : undefined,
      );
      say(`killed ${target} (${killed.pids.size} processes)`);
    }
    await delay(500);
    await publishers.stop();
    const open = await waitForDrain(server.databaseUrl(), 600_000);
    const stored = await readEventIds(server.databaseUrl());
    say(
      `acknowledged ${publishers.acknowledged.length}, stored ` +
        `${stored.length}, calls ${receivers.calls()}, still open ${open}`,
    );
    const givenUp = await readGivenUp(server.databaseUrl());
    if (givenUp.size > 0) say(`${givenUp.size} sends were given up after three kills in a row`);
    const used = checksUsage(scenario) ? [await checkUsage(server.databaseUrl())] : [];
    return [...checkPublished(publishers, receivers, stored, pace.factor(), givenUp), ...used];
  } finally {
    await server.stop();
    receivers.stop();
  }
}

export async function readEventIds(databaseUrl: string): Promise<readonly string[]> {
  await using client = await connectTo(databaseUrl);
  const { rows } = await client.query<{ id: string }>("select public_id as id from events");
  return rows.map(({ id }) => id);
}

/**
 * Sends during which three workers died in a row, which the product leaves to a person:
 * `<path of the receiver> <id of the event>`.
 */
async function readGivenUp(databaseUrl: string): Promise<ReadonlySet<string>> {
  await using client = await connectTo(databaseUrl);
  const { rows } = await client.query<{ receiver_url: string; id: string }>(
    `select s.receiver_url, e.public_id as id
     from runs r join events e on e.id = r.event_id join subscriptions s on s.id = r.target_id
     where r.state = 'failed' and r.reason_code = 'worker_died' and (
       select count(*) from attempts a
       where a.run_id = r.id and a.error_code = 'outcome_unknown'
     ) = 3`,
  );
  return new Set(rows.map(({ receiver_url, id }) => `${new URL(receiver_url).pathname} ${id}`));
}

/** Checks what must hold once the queue has drained. Pure. */
export function checkPublished(
  { acknowledged, sent, statuses, slowestResponseMs }: Publishers,
  { received }: Receivers,
  stored: readonly string[],
  pace: number,
  givenUp: ReadonlySet<string> = new Set(),
): readonly PublishVerdict[] {
  const times = Map.groupBy(stored, (id) => id);
  const unstored = acknowledged.flatMap(({ id }) => {
    const count = times.get(id)?.length ?? 0;
    return count === 1 ? [] : [`${id} is stored ${count} times`];
  });
  const missed = acknowledged.flatMap(({ id, type, recipient }) =>
    receiversOf(recipient, type)
      .filter((receiver) => received.get(receiver)?.has(id) !== true)
      .filter((receiver) => !givenUp.has(`/${receiver} ${id}`))
      .map((receiver) => `${receiver} never got ${id}`),
  );
  const unexpected = [...received].flatMap(([receiver, events]) =>
    [...events.keys()].flatMap((id) => {
      const event = sent.get(id);
      const isMeant = event && receiversOf(event.recipient, event.type).includes(receiver);
      return isMeant ? [] : [`${receiver} got ${id} of ${event?.recipient ?? "nobody"}`];
    }),
  );
  const allowed = new Set(["200", "202", "503", "reset", "refused"]);
  const wrong = Object.entries(statuses)
    .filter(([status]) => !allowed.has(status))
    .map(([status, count]) => `${count} responses were ${status}`);
  const slow =
    slowestResponseMs() > 5_000 * pace ? [`a response took ${slowestResponseMs()} ms`] : [];
  return [
    { invariant: "P1", promise: "every acknowledged event is stored once", breaches: unstored },
    {
      invariant: "P2",
      promise:
        "every acknowledged event reached every matching receiver, or three kills in a row hit it",
      breaches: missed,
    },
    {
      invariant: "P3",
      promise: "no receiver got an event of another recipient or type",
      breaches: unexpected,
    },
    {
      invariant: "P4",
      promise: "what can't be stored gets 503 or no response, within 5 s",
      breaches: [...wrong, ...slow],
    },
  ];
}
