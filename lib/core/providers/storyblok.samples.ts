import type { Consecutive } from "./shapes/sample-event.ts";

function story(action: string, storyId: number): object {
  return {
    text: `The user ada@example.com ${action} the Story Home (home)`,
    action,
    space_id: 288_868,
    story_id: storyId,
    full_slug: "home",
  };
}

/** Two events about the same object, which can't be told apart. */
export const storyblokConsecutive: Consecutive = () => ({
  two: [{ json: story("published", 1) }, { json: story("published", 1) }],
});
