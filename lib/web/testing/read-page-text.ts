import { isValidElement } from "react";

/**
 * Everything that a page gives to the browser, as text: what its server components return, and the
 * props of all that they contain. Components that need a browser aren't run, but their props are read.
 */
export async function readPageText(node: unknown): Promise<string> {
  const texts: string[] = [];
  await collect(node, texts, new Set());
  return texts.join("\n");
}

async function collect(node: unknown, texts: string[], seen: Set<unknown>): Promise<void> {
  if (typeof node === "string" || typeof node === "number" || typeof node === "bigint") {
    texts.push(String(node));
    return;
  }
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  if (node instanceof Promise) return await collect(await node, texts, seen);
  if (isValidElement(node)) {
    await collect(node.props, texts, seen);
    return await collect(await render(node.type, node.props), texts, seen);
  }
  const parts = Symbol.iterator in node ? [...(node as Iterable<unknown>)] : Object.entries(node);
  for (const part of parts) await collect(part, texts, seen);
}

type Component = (props: unknown) => unknown;

async function render(type: unknown, props: unknown): Promise<unknown> {
  if (typeof type !== "function") return null;
  const component = type as Component;
  if (component.constructor.name === "AsyncFunction") return await component(props);
  try {
    return component(props);
  } catch {
    // It uses the state of a browser.
    return null;
  }
}
