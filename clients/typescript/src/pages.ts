/** One page of a list. Continue with `cursor: nextCursor` until it is null. */
export type Page<Item> = { readonly data: Item[]; readonly nextCursor: string | null };

/** Await it for one page, or use `for await` for all items of all pages. */
export type PagePromise<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** Nothing is read before the list is awaited or iterated, and then the first page only once. */
export function toPagePromise<Item>(
  readPage: (cursor?: string) => Promise<Page<Item>>,
): PagePromise<Item> {
  let first: Promise<Page<Item>> | undefined;
  const readFirst = () => {
    first ??= readPage();
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list reads its first page
    then: (onPage, onError) => readFirst().then(onPage, onError),
    catch: (onError) => readFirst().catch(onError),
    finally: (onEnd) => readFirst().finally(onEnd),
    [Symbol.toStringTag]: "PagePromise",
    async *[Symbol.asyncIterator]() {
      let page = await readFirst();
      yield* page.data;
      while (typeof page.nextCursor === "string") {
        page = await readPage(page.nextCursor);
        yield* page.data;
      }
    },
  };
}
