import { Braces, Clock, type LucideIcon, Send, Zap } from "lucide-react";
import type { MapStep } from "./layout-steps.ts";

/** The icon of each kind of step. */
export const stepIcons: Readonly<Record<MapStep["kind"], LucideIcon>> = {
  call: Zap,
  transform: Braces,
  delay: Clock,
  publish: Send,
};
