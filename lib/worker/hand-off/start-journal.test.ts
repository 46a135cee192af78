import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { StartJournal } from "./start-journal.ts";

const bootId = "4f7d3a52-7a57-4a36-9d0c-0e7d1b7f6a11";

function makePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "started");
}

/** Opens it as the next process does. The one before it was killed, so it closed nothing. */
function open(path: string, id = bootId): StartJournal {
  const journal = new StartJournal(path, id);
  onTestFinished(() => journal.close());
  return journal;
}

it("the next process knows the leases, and which of their runs have started", () => {
  const path = makePath();
  const [leaseId, unused] = [newId(), newId()];
  const [first, second] = [newId(), newId()];
  const journal = open(path);
  expect(journal.before).toEqual({ leaseIds: [], startedIds: [] });
  journal.open(leaseId);
  journal.open(unused);
  journal.start([
    { id: first, leaseId },
    { id: second, leaseId },
  ]);
  expect(open(path).before).toEqual({
    leaseIds: [leaseId, unused],
    startedIds: [first, second],
  });
});

it("keeps what an earlier process noted until it is rewritten", () => {
  const path = makePath();
  const [old, leaseId] = [newId(), newId()];
  const started = { id: newId(), leaseId: old };
  open(path).start([started]);
  const journal = open(path);
  journal.open(leaseId);
  expect(open(path).before).toEqual({ leaseIds: [old, leaseId], startedIds: [started.id] });
  const inFlight = { id: newId(), leaseId };
  journal.rewrite([leaseId], [inFlight]);
  journal.start([{ id: old, leaseId }]);
  expect(open(path).before).toEqual({ leaseIds: [leaseId], startedIds: [inFlight.id, old] });
});

it("ignores a record that was cut off, and what follows it can be read", () => {
  const path = makePath();
  const leaseId = newId();
  const journal = open(path);
  journal.open(leaseId);
  appendFileSync(path, Buffer.alloc(20, 1));
  const next = open(path);
  expect(next.before).toEqual({ leaseIds: [leaseId], startedIds: [] });
  const id = newId();
  next.start([{ id, leaseId }]);
  expect(open(path).before).toEqual({ leaseIds: [leaseId], startedIds: [id] });
});

it("knows nothing of an earlier start of the machine, whose last notes may be lost", () => {
  const path = makePath();
  open(path).open(newId());
  expect(open(path, newId()).before).toEqual({ leaseIds: [], startedIds: [] });
  const unknown = new StartJournal(path, undefined);
  unknown.rewrite([newId()], []);
  expect([unknown.works, unknown.before.leaseIds]).toEqual([false, []]);
  const nowhere = new StartJournal(undefined, bootId);
  nowhere.rewrite([newId()], []);
  expect(nowhere.works).toBe(false);
});

it("is full after 32,000 starts, and short again once it is rewritten", () => {
  const path = makePath();
  const journal = open(path);
  const leaseId = newId();
  const starts = Array.from({ length: 1_024 }, () => ({ id: newId(), leaseId }));
  for (let batch = 0; batch < 31; batch += 1) journal.start(starts);
  expect(journal.isFull).toBe(false);
  journal.start(starts);
  expect(journal.isFull).toBe(true);
  journal.rewrite([leaseId], starts.slice(0, 2));
  expect([journal.isFull, statSync(path).size]).toEqual([false, 37 + 3 * 32]);
});

it("leaves nothing behind that is wrong if it can't be written", () => {
  const path = makePath();
  const journal = open(path);
  journal.open(newId());
  mkdirSync(`${path}.next`);
  journal.rewrite([], []);
  expect(journal.works).toBe(false);
  journal.start([{ id: newId(), leaseId: newId() }]);
  expect(open(path).before).toEqual({ leaseIds: [], startedIds: [] });
});
