/** Notices that an account dismisses for everyone. */
import { z } from "zod";

const accountNotices = ["local_url"] as const;
export type AccountNotice = (typeof accountNotices)[number];

/** Dismisses a notice. */
export const dismissedNoticeSchema = z.strictObject({ notice: z.enum(accountNotices) });
