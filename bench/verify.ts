import { describeVerification, measureVerification } from "./measure/verification.ts";

/** `npm run bench:verify [-- --json]`: what verifying one delivery costs, for each kind of scheme, beside the bare cryptography. */
const cost = measureVerification();
const isJson = process.argv.includes("--json");
process.stdout.write(`${isJson ? JSON.stringify(cost, null, 2) : describeVerification(cost)}\n`);
