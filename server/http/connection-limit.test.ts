import { once } from "node:events";
import { connect, Socket } from "node:net";
import { expect, test } from "vitest";
import { sendRaw } from "#server/testing/catch-harness.ts";
import { closeAll, portOf } from "#server/testing/with-web-proxy.ts";
import { ConnectionLimit } from "./connection-limit.ts";
import { createListener } from "./http-listener.ts";

/** An open one, as if it came from this address. */
function socketFrom(address: string): Socket {
  return Object.defineProperty(new Socket(), "remoteAddress", { value: address });
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
}

test("one address may have half of all connections, and another one once one of its own has closed", async () => {
  const limit = new ConnectionLimit(4);
  const own = [socketFrom("198.51.100.1"), socketFrom("198.51.100.1")];
  expect(own.map((socket) => limit.admit(socket))).toEqual([true, true]);
  const third = socketFrom("198.51.100.1");
  expect([limit.admit(third), third.destroyed]).toEqual([false, true]);
  expect(limit.admit(socketFrom("198.51.100.2"))).toBe(true);
  await close(own[0] ?? third);
  expect(limit.admit(socketFrom("198.51.100.1"))).toBe(true);
});

test("the addresses of one IPv6 subscriber count as one", () => {
  const limit = new ConnectionLimit(4);
  const admitted = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"].map((address) =>
    limit.admit(socketFrom(address)),
  );
  expect(admitted).toEqual([true, true, false, true]);
});

test.each(["127.0.0.1", "::ffff:127.0.0.1", "::1", "10.0.0.1"])(
  "%s represents many clients: only the total counts",
  (address) => {
    const limit = new ConnectionLimit(4, (peer) => peer === "10.0.0.1");
    const admitted = [1, 2, 3, 4, 5].map(() => limit.admit(socketFrom(address)));
    expect(admitted).toEqual([true, true, true, true, false]);
  },
);

test("beyond the limit new connections are closed, and accepted again once others have closed", async () => {
  const small = createListener({
    onCatch: () => {},
    onOther: (_q, r) => r.end("saw "),
    maxBodyBytes: 10,
    maxConnections: 3,
  });
  small.listen(0, "127.0.0.1");
  await once(small, "listening");
  const smallPort = portOf(small);
  const idle = [1, 2, 3].map(() => connect(smallPort, "127.0.0.1"));
  const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  await expect
    .poll(async () => (await sendRaw(smallPort, request)).received, { interval: 20 })
    .toBe("");
  for (const socket of idle) socket.destroy();
  await expect.poll(async () => (await sendRaw(smallPort, request)).received).toContain("saw ");
  closeAll(small);
});
