import { expect, test } from "vitest";
import { firstWritable } from "./database-hosts.ts";

const never = () => new Promise<void>(() => {});
const refuse = (host: string) => Promise.reject(new Error(`${host} refuses`));

test("hosts are asked in their order, and none after the first that is writable", async () => {
  const asked: string[] = [];
  const ask = (host: string) => {
    asked.push(host);
    return host === "b" ? Promise.resolve() : refuse(host);
  };
  expect(await firstWritable(["a", "b", "c"], ask, never)).toBe("b");
  expect(asked).toEqual(["a", "b"]);
});

test("a host that is silent holds no one up, and wins if it responds first after all", async () => {
  const silent = Promise.withResolvers<void>();
  const ask = (host: string) => (host === "a" ? silent.promise : Promise.resolve());
  expect(await firstWritable(["a", "b"], ask, () => Promise.resolve())).toBe("b");
  const slow = (host: string) => (host === "a" ? silent.promise : never());
  const found = firstWritable(["a", "b"], slow, () => Promise.resolve());
  silent.resolve();
  expect(await found).toBe("a");
});

test("if none is writable, every reason is told in the order of hosts", async () => {
  const found = firstWritable(["a", "b"], refuse, never);
  await expect(found).rejects.toMatchObject({
    errors: [{ message: "a refuses" }, { message: "b refuses" }],
  });
});
