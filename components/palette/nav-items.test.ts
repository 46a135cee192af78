import { expect, it } from "vitest";
import { isWithin, navItems } from "./nav-items.ts";

it.each([
  ["/", "Home"],
  ["/hooks", "Hooks"],
  ["/hooks/new", "Hooks"],
  ["/actions/1", "Hooks"],
  ["/deliveries/1", "Deliveries"],
  ["/events/new", "Events"],
  ["/subscriptions/1/settings", "Subscriptions"],
  ["/account/tokens", "Account"],
])("%s belongs to %s only", (pathname, name) => {
  expect(navItems.filter((item) => isWithin(item, pathname)).map((item) => item.name)).toEqual([
    name,
  ]);
});

it("a path that only starts the same belongs to nothing", () => {
  expect(navItems.some((item) => isWithin(item, "/hooksome"))).toBe(false);
});
