import { deriveRecordKeys } from "../records/record-keys.ts";

export const testSecret = "a secret for tests that is long enough";
export const testKeys = deriveRecordKeys(testSecret);
export const testKey = testKeys.current;
