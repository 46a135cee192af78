import { describeVerification, measureVerification } from "./measure/verification.ts";

/**
 * `npm run bench:verify [-- --json]`: the cost of verifying one delivery for each kind of scheme,
 * compared with the bare cryptography.
 */
const cost = measureVerification();
const isJson = process.argv.includes("--json");
process.stdout.write(`${isJson ? JSON.stringify(cost, null, 2) : describeVerification(cost)}\n`);
