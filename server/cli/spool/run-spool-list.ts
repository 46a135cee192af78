import type { CommandInput, ExitCode } from "../frame/command.ts";
import { describeItem, visitItems } from "./set-aside-items.ts";

/** Lists what was set aside. */
export async function runSpoolList({ readEnv, output, values }: CommandInput): Promise<ExitCode> {
  const lines: string[] = [];
  const facts: object[] = [];
  const env = readEnv();
  await visitItems(
    env,
    async (item) => {
      const { name, bytes, deliveries, fault } = item;
      lines.push(...describeItem(item));
      const isDamaged = fault === "damaged" || fault === "cut_off";
      for (const delivery of fault === null ? deliveries : [undefined])
        facts.push({
          ...{ name, bytes, deliveryId: delivery?.id, hookId: delivery?.hookId },
          accountId: delivery?.accountId,
          receivedAt: delivery === undefined ? null : new Date(delivery.receivedAtMs).toISOString(),
          ...{ isDamaged, fault },
        });
      return false;
    },
    { trustsAll: values.unsigned === true },
  );
  if (values.json === true) output.result(JSON.stringify({ setAside: facts }, null, 2));
  else if (lines.length === 0) output.result("Nothing is set aside.");
  else for (const line of lines) output.result(line);
  return facts.length === 0 ? 0 : 1;
}
