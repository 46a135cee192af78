import { describe, expect, test } from "vitest";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { sendJson } from "#server/testing/catch-harness.ts";
import {
  byInterpreter,
  customScheme,
  newBody,
  previousSecret,
  signers,
  signStripe,
  stripeSecret,
  verifying,
} from "#server/testing/signers.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

function deliver(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return sendJson(bench.caught.port, path, body, headers);
}

describe.each(signers)("%s", (provider, secret, sign) => {
  const proof = (headers: Record<string, string>) =>
    Object.keys(headers).find((name) => /signature|hmac|sig|token|authorization/.test(name)) ?? "";

  test(
    "a signed delivery is accepted as verified, and with another body, " +
      "another signature or none it is 401, recorded, and runs nothing",
    async () => {
      const hook = await addHook(bench.db, verifying(provider, secret));
      await addAction(bench.db, hook);
      const body = newBody();
      const headers = await sign(body);
      const good = await deliver(hook.path, body, headers);
      expect(good.status).toBe(200);
      const stored = await bench.db.delivery.findFirstOrThrow({ where: { hookId: hook.id } });
      expect(stored).toMatchObject({
        status: "accepted",
        verificationOutcome: "verified",
        verificationScheme: provider,
      });

      const name = proof(headers);
      const value = headers[name] ?? "";
      const last = value.at(-3) === "0" ? "1" : "0";
      const wrong = { ...headers, [name]: `${value.slice(0, -3)}${last}${value.slice(-2)}` };
      const rejected = [
        await deliver(hook.path, newBody(), wrong),
        await deliver(hook.path, body, {}),
      ];
      const isToken = ["gitlab", "bearer", "basic-auth"].includes(provider);
      if (!isToken) {
        const flipped = Buffer.from(body);
        flipped[5] = (flipped[5] ?? 0) ^ 1;
        rejected.push(await deliver(hook.path, flipped, headers));
      }
      expect(rejected.map(({ status, json }) => [status, json.code])).toEqual(
        rejected.map(() => [401, "signature_invalid"]),
      );
      for (const { text } of rejected) expect(text).not.toContain(secret);

      const rows = await bench.db.delivery.findMany({
        where: { hookId: hook.id, status: "rejected" },
        orderBy: { id: "asc" },
      });
      expect(rows.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/_(mismatch|malformed)$/),
        expect.stringMatching(/_missing$/),
        ...(isToken ? [] : [expect.stringMatching(/_mismatch$/)]),
      ]);
      expect(rows.every(({ verificationOutcome }) => verificationOutcome === "failed")).toBe(true);
      expect(await countRuns(bench.db, { hookId: hook.id })).toBe(1);
      if (isToken) {
        const dump = JSON.stringify(
          await bench.db.delivery.findMany({ where: { hookId: hook.id } }),
        );
        expect(dump).not.toContain(secret);
        expect(dump).not.toContain(Buffer.from(secret).toString("base64"));
      }
    },
  );

  test("two secrets are active during a rotation, and the old one stops when it has expired", async () => {
    const before = previousSecret(provider, secret);
    const hook = await addHook(bench.db, verifying(provider, before));
    const rotation = { secret, expirePreviousAfterSeconds: 600 };
    await rotateHookSecret(testContext(bench.db, hook.accountId), { id: hook.id, ...rotation });
    const scheme = provider === "custom" ? customScheme : undefined;
    for (const signer of [sign, byInterpreter(provider, before, scheme)]) {
      const body = newBody();
      expect((await deliver(hook.path, body, await signer(body))).status).toBe(200);
    }
    await bench.db.$executeRaw`
        update hook_secrets set expires_at = now() - interval '1 ms' where hook_id = ${hook.id}::uuid and expires_at is not null`;
    const late = async () => {
      const body = newBody();
      return (await deliver(hook.path, body, await byInterpreter(provider, before, scheme)(body)))
        .status;
    };
    await expect.poll(late, { interval: 10 }).toBe(401);
    const body = newBody();
    expect((await deliver(hook.path, body, await sign(body))).status).toBe(200);
  });
});

test("a stale timestamp is 401 with its reason, a replay within the tolerance a duplicate", async () => {
  const hook = await addHook(bench.db, verifying("stripe", stripeSecret));
  const body = newBody();
  const late = await deliver(hook.path, body, signStripe(body, 400));
  expect([late.status, late.json.detail]).toEqual([401, expect.stringContaining("too old")]);
  const headers = signStripe(body);
  expect((await deliver(hook.path, body, headers)).json.status).toBe("accepted");
  expect((await deliver(hook.path, body, headers)).json.status).toBe("duplicate");
});

test("an unknown stored scheme rejects, and an unreadable rule is 503: neither accepts anything", async () => {
  const [unknown, unreadable] = [await addHook(bench.db), await addHook(bench.db)];
  await bench.db
    .$executeRaw`update hooks set provider = 'from-the-future' where id = ${unknown.id}::uuid`;
  await bench.db
    .$executeRaw`update hooks set dedupe = '{"from":"moon"}' where id = ${unreadable.id}::uuid`;
  const other = await addHook(bench.db);
  const responses = await Promise.all(
    [unknown, unreadable, other].map(({ path }) => deliver(path, "{}")),
  );
  expect(responses.map(({ status }) => status)).toEqual([401, 503, 200]);
});

test("a hook's own tolerance decides how old a delivery may be, and a change applies at once", async () => {
  const hook = await addHook(bench.db, verifying("stripe", stripeSecret));
  const sendAged = (seconds: number) => deliver(hook.path, "{}", signStripe("{}", seconds));
  expect((await sendAged(600)).status).toBe(401);
  const patch = hookPatchSchema.parse({ toleranceSeconds: 900 });
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
  expect((await sendAged(600)).status).toBe(200);
  expect((await sendAged(1000)).status).toBe(401);
});
