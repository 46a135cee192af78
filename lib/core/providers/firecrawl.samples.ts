import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const firecrawlConsecutive: Consecutive = () => {
  const common = { success: true, type: "crawl.page", id: "job1" };
  return {
    two: [
      { json: { ...common, data: [{ url: "https://example.com/1" }] } },
      { json: { ...common, data: [{ url: "https://example.com/2" }] } },
    ],
  };
};
