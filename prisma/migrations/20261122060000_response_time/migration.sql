-- From the first byte of a delivery until it was written, in milliseconds; its provider was answered with the commit. Null: stored before this was kept.
ALTER TABLE "deliveries" ADD COLUMN "response_ms" INTEGER;
