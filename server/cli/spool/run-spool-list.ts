import type { CommandInput, ExitCode } from "../frame/command.ts";
import { describeItem, requireSpool, visitItems } from "./set-aside-items.ts";

/** Lists what was set aside. */
export async function runSpoolList({ readEnv, output, values }: CommandInput): Promise<ExitCode> {
  const items: { readonly name: string; readonly text: string; readonly facts: object }[] = [];
  await visitItems(requireSpool(readEnv()), async (item) => {
    const { name, bytes, delivery, fault } = item;
    const { id, hookId, accountId, receivedAtMs } = delivery ?? {};
    const receivedAt = receivedAtMs === undefined ? null : new Date(receivedAtMs).toISOString();
    const facts = { name, bytes, deliveryId: id, hookId, accountId, receivedAt };
    items.push({
      name,
      text: describeItem(item),
      facts: { ...facts, isDamaged: fault === "damaged" },
    });
    return false;
  });
  if (values.json === true)
    output.result(JSON.stringify({ setAside: items.map(({ facts }) => facts) }, null, 2));
  else if (items.length === 0) output.result("Nothing is set aside.");
  else for (const { text } of items) output.result(text);
  return items.length === 0 ? 0 : 1;
}
