import { expect, it } from "vitest";
import { crc32c } from "./crc32c.ts";
import { partitionOfKey } from "./partition-of-key.ts";
import { toRecordBatch } from "./record-batch.ts";
import { chooseVersion, readMetadata } from "./requests.ts";
import { Scram } from "./scram.ts";
import { array, int8, int16, int32, KafkaReader, string, varint } from "./wire.ts";

it("the checksum is the one of RFC 3720", () => {
  expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
});

// The hashes are those of `UtilsTest.testMurmur2` in Kafka.
it.each([
  ["21", -973932308],
  ["foobar", -790332482],
  ["a-little-bit-long-string", -985981536],
  ["a-little-bit-longer-string", -1486304829],
  ["lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971],
  ["abc", 479470107],
])("the partition of the key %s is the one of Kafka's clients in Java", (key, hash) => {
  for (const count of [1, 4, 1_000])
    expect(partitionOfKey(key, count)).toBe((hash & 0x7fffffff) % count);
});

it.each([
  [0, "00"],
  [1, "02"],
  [-1, "01"],
  [63, "7e"],
  [64, "8001"],
  [300, "d804"],
  [2_147_483_647, "feffffff0f"],
])("the number %d has the bytes %s", (value, hex) =>
  expect(varint(value).toString("hex")).toBe(hex),
);

it("a batch says how long it is, and has the time and the bytes of its record", () => {
  const value = Buffer.from('{"note":"Zoë 😀"}');
  const headers = [["webhook-id", "evt_1"]] as const;
  const batch = toRecordBatch({ key: "cust_1", headers, value, timestampMs: 1_700_000_000_123 });
  expect(batch.readInt32BE(8)).toBe(batch.length - 12);
  expect(batch.readBigInt64BE(27)).toBe(1_700_000_000_123n);
  expect(batch.readUInt32BE(17)).toBe(crc32c(batch.subarray(21)));
  expect(batch.includes(value)).toBe(true);
});

// RFC 7677 §3.
it("a login with SCRAM-SHA-256 is the one of the RFC, and so is the proof of its server", async () => {
  const nonce = "rOprNGfwEbeRWgbNEkqO";
  const scram = new Scram({ username: "user", password: "pencil", hash: "sha256", nonce });
  expect(scram.first()).toBe(`n,,n=user,r=${nonce}`);
  const both = `${nonce}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0`;
  const final = await scram.second(`r=${both},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`);
  expect(final).toBe(`c=biws,r=${both},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`);
  expect(scram.isVerified("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")).toBe(true);
  expect(scram.isVerified("v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")).toBe(false);
  expect(scram.isVerified("e=invalid-proof")).toBe(false);
});

it.each([
  ["another nonce", "r=other,s=c2FsdA==,i=4096"],
  ["no nonce of its own", "r=mine,s=c2FsdA==,i=4096"],
  ["too few rounds", "r=mineandyours,s=c2FsdA==,i=1000"],
  ["rounds that never end", "r=mineandyours,s=c2FsdA==,i=900000000"],
  ["something else", "HTTP/1.1 400 Bad Request"],
])("a server with %s learns nothing", async (_what, first) => {
  const login = { username: "a=b,c", password: "p", hash: "sha512", nonce: "mine" } as const;
  const scram = new Scram(login);
  expect(scram.first()).toBe("n,,n=a=3Db=2Cc,r=mine");
  expect(await scram.second(first)).toBeNull();
  expect(scram.isVerified("v=")).toBe(false);
});

it("the highest version is used that both know", () => {
  expect(chooseVersion("metadata", new Map([[3, [0, 9]]]))).toBe(4);
  expect(chooseVersion("metadata", new Map([[3, [0, 2]]]))).toBe(2);
  expect(chooseVersion("produce", new Map([[0, [0, 2]]]))).toBeNull();
  expect(chooseVersion("produce", new Map([[0, [9, 12]]]))).toBeNull();
  expect(chooseVersion("produce", new Map())).toBeNull();
});

it("partitions are read in their order, whatever the order of the response", () => {
  const partition = (index: number, leader: number) =>
    Buffer.concat([int16(0), int32(index), int32(leader), array([int32(7)]), array([])]);
  const topic = [int16(0), string("orders"), int8(0), array([partition(1, 8), partition(0, -1)])];
  const broker = [int32(8), string("one.example.com"), int32(9093), string(null)];
  const response = [array([Buffer.concat(broker)]), int32(8), array([Buffer.concat(topic)])];
  expect(readMetadata(new KafkaReader(Buffer.concat(response)), 1)).toEqual({
    code: 0,
    brokers: new Map([[8, { host: "one.example.com", port: 9093 }]]),
    leaders: [-1, 8],
  });
});

it("a list that claims to be long ends where the bytes end", () => {
  const reader = new KafkaReader(Buffer.concat([int32(2_147_483_647), int16(1)]));
  expect(() => reader.array(reader.int16)).toThrow(RangeError);
  expect(() => new KafkaReader(int16(500)).string()).toThrow(RangeError);
});
