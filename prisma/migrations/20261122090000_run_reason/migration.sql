-- The code and the sentence of a run's reason. Older rows have both in "reason", as `code: sentence`, and are still read from there: rewriting them would lock a table of millions of rows.
ALTER TABLE "runs" ADD COLUMN "reason_code" TEXT, ADD COLUMN "reason_detail" TEXT;
