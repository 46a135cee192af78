import { parseArgs } from "node:util";
import { fill } from "./seed/fill.ts";

/**
 * `npm run bench:seed -- --url <DATABASE_URL> [--count 1000000] [--hooks 1] [--days 25] [--open 0]
 * [--open-url <URL>] [--account main]`: creates hooks with a long history, for measuring lists and
 * claims on big tables, and a backlog of runs that are due.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string", default: process.env.DATABASE_URL ?? "" },
    count: { type: "string", default: "1000000" },
    hooks: { type: "string", default: "1" },
    days: { type: "string", default: "25" },
    open: { type: "string", default: "0" },
    "open-url": { type: "string", default: "http://127.0.0.1:9/" },
    account: { type: "string", default: "main" },
  },
});
await fill({
  url: values.url,
  account: values.account,
  count: Number(values.count),
  days: Number(values.days),
  hooks: Number(values.hooks),
  open: Number(values.open),
  openUrl: values["open-url"],
  isOwn: false,
  say: (line) => process.stdout.write(`${line}\n`),
});
