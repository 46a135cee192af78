import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { describeComparison } from "./outcome/results.ts";
import { listVersions } from "./read-versions.ts";
import { alternate } from "./rounds/alternate.ts";
import { measureSends } from "./rounds/sends.ts";
import { type SendStage, setSendStage } from "./stage/send-stage.ts";

/**
 * `npm run bench:send [-- --against FOLDER --rounds 5]`: how many published events a second are
 * worked through, from the first request to the last signed call, with one subscription for each
 * and with 20, also of another version in turns; and what one slow and one dead receiver among 100
 * cost the others.
 */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const folder = makeScratchFolder("send");
try {
  const variants = listVersions(values.against).map(({ name, checkout }, index) => ({
    name,
    set: () => setSendStage(makeFolder(`${index}`), checkout),
  }));
  const measure = measureSends;
  console.log(describeComparison(await alternate({ variants, rounds, seconds, measure, say })));
  await measureOthers(await setSendStage(makeFolder("others")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Measures calls at an even pace, to 98 receivers that respond at once and two others. */
async function measureOthers(stage: SendStage): Promise<void> {
  const { subscribe, publish } = stage;
  const waits: number[] = [];
  const quick = createServer(async (request, response) => {
    const arrivedAt = Date.now();
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      data: { sentAt: number };
    };
    response.end();
    waits.push(arrivedAt - data.sentAt);
  });
  const slow = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.end(), 10_000);
  });
  const dead = createServer((request) => request.resume());
  const [quickUrl, slowUrl, deadUrl] = [await open(quick), await open(slow), await open(dead)];
  for (let n = 0; n < 98; n += 1) await subscribe(quickUrl, ["alone.measured", "others.measured"]);
  for (const url of [quickUrl, quickUrl]) await subscribe(url, ["alone.measured"]);
  for (const url of [slowUrl, deadUrl]) await subscribe(url, ["others.measured"]);
  const p95 = async (type: string, expected: number) => {
    waits.length = 0;
    for (let n = 0; n < seconds * 10; n += 1) {
      await publish([{ type, data: { sentAt: Date.now(), amount: 4_200 } }]);
      await delay(100);
    }
    await waitUntil("calls of the others", 60_000, () =>
      waits.length >= seconds * 10 * expected ? true : undefined,
    );
    return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? Number.NaN;
  };
  await p95("alone.measured", 100);
  const alone = await p95("alone.measured", 100);
  const beside = await p95("others.measured", 98);
  await stage.stop();
  for (const each of [quick, slow, dead]) {
    each.close();
    each.closeAllConnections();
  }
  console.log(
    `p95 from publishing to the call, 1,000 calls/s to 100 receivers: ${alone} ms; with ` +
      `one slow and one dead: ${beside} ms (× ${(beside / alone).toFixed(2)})`,
  );
}

async function open(of: Server): Promise<string> {
  of.listen(0, "127.0.0.1");
  await once(of, "listening");
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}/in`;
}

function makeFolder(name: string): string {
  const path = `${folder}/${name}`;
  mkdirSync(path, { recursive: true });
  return path;
}

function say(line: string): void {
  console.log(line);
}
