import { serialize } from "node:v8";
import { signRecord } from "../records/record.ts";
import { testKey } from "./test-keys.ts";

/** A whole record as a newer version of Catchment would write it. */
export function newerRecord(content = serialize({ version: 3, parcels: ["unknown"] })): Buffer {
  return signRecord(content, 1, 1, testKey);
}
