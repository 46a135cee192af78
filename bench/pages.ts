import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makePortalLink } from "#e2e/harness/make-portal-link.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { type MeasuredPaint, measurePaints } from "./measure/measure-paints.ts";
import { type MeasuredResponse, measureResponse } from "./measure/measure-responses.ts";
import { describeMachine, type Figures, readCommit, saveResults } from "./outcome/results.ts";
import { formatTable } from "./outcome/table.ts";
import { failingRecipient } from "./seed/fill-sends.ts";
import { listPages } from "./seed/page-paths.ts";
import { findPageRows } from "./seed/tables.ts";
import { fillFolder, folderAccess, withClient } from "./stage/filled-folder.ts";

/**
 * `npm run bench:pages [-- --count 1000000 --hooks 500 --sends 5000 --rounds 40]`: every list, filter,
 * and page of the dashboard and the portal with a long history. One run in fifty failed, and so did
 * all sends. Starts and fills its own Catchment. `--folder <folder>`
 * keeps what was filled and uses it again, `--paint` opens each page in Chromium too, `--only <text>`
 * measures the pages with that text in their name.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    hooks: { type: "string", default: "500" },
    open: { type: "string", default: "0" },
    sends: { type: "string", default: "5000" },
    days: { type: "string", default: "25" },
    rounds: { type: "string", default: "40" },
    folder: { type: "string" },
    only: { type: "string", default: "" },
    paint: { type: "boolean", default: false },
    save: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const folder = values.folder ?? makeScratchFolder("pages");
try {
  await fillFolder({
    folder,
    count: Number(values.count),
    days: Number(values.days),
    hooks: Number(values.hooks),
    open: Number(values.open),
    sends: Number(values.sends),
    openUrl: "http://127.0.0.1:9/",
    say,
  });
  // Nothing but pages runs, so that whatever PostgreSQL reads is read for them.
  const server = await startServer({ folder, roles: ["web"] }, folderAccess);
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(server: ServerUnderTest): Promise<void> {
  const { origin } = server;
  const cookie = await signIn(origin, adminEmail, adminPassword);
  const responses: MeasuredResponse[] = [];
  let paints: readonly MeasuredPaint[] = [];
  await withClient(server, async (database) => {
    const portal = await makePortalLink({
      databaseUrl: server.databaseUrl(),
      slug: "main",
      recipient: failingRecipient,
      origins: [],
    });
    const all = listPages(await findPageRows(database), portal);
    const pages = all.filter(([page]) => page.includes(values.only));
    for (const [page, path] of pages) {
      responses.push(await measureResponse({ origin, cookie, page, path, rounds, database }));
      say(JSON.stringify(responses.at(-1)));
    }
    if (values.paint) paints = await measurePaints({ origin, cookie, pages });
  });
  say(`\n${describeResponses(responses)}`);
  if (paints.length > 0) say(`\n${describePaints(paints)}`);
  const saved = saveResults(
    {
      machine: describeMachine(),
      commit: readCommit(),
      options: values,
      figures: figuresOf(responses),
      details: { responses, paints },
    },
    values.save,
  );
  say(`\nSaved to ${saved}`);
}

/** p95 under 100 ms and 5,000 buffers, no failure, HTML under 100 kB. */
function describeResponses(responses: readonly MeasuredResponse[]): string {
  const isMet = (one: MeasuredResponse) =>
    one.p95Ms < 100 && one.buffersP95 < 5_000 && one.failures === 0 && one.htmlBytes < 100_000;
  const rows = responses.map((response) => [
    `${isMet(response) ? "✓" : "✗"} ${response.page}`,
    response.p50Ms.toFixed(1),
    response.p95Ms.toFixed(1),
    response.buffersP50.toLocaleString("en"),
    response.buffersP95.toLocaleString("en"),
    String(response.failures),
    (response.htmlBytes / 1000).toFixed(0),
  ]);
  const head = ["", "p50 ms", "p95 ms", "buffers p50", "buffers p95", "failed", "HTML kB"];
  return formatTable(head, rows);
}

function describePaints(paints: readonly MeasuredPaint[]): string {
  const rows = paints.map(({ page, firstPaintMs, interactionMs, scriptBytes }) => [
    page,
    firstPaintMs.toFixed(0),
    interactionMs.toFixed(0),
    (scriptBytes / 1000).toFixed(0),
  ]);
  return formatTable(["", "first paint ms", "interaction ms", "scripts kB"], rows);
}

function figuresOf(responses: readonly MeasuredResponse[]): Figures {
  return Object.fromEntries(
    responses.flatMap(({ page, p95Ms, buffersP95, htmlBytes }) => [
      [`${page}, p95 ms`, p95Ms],
      [`${page}, buffers p95`, buffersP95],
      [`${page}, HTML bytes`, htmlBytes],
    ]),
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
